for answers in ["reset", "page"], ["reset", "reset", "page"]:
    print("answers:", *answers)
    for number, answer in enumerate(answers):
        if answer == "reset":
            print(f"  log: try {number} failed")
        elif number > 1:
            print(f"  log: try {number} succeeded")

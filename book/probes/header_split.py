for line in "Server: nginx", "Server:nginx", "Refresh: 5; url=a: b":
    try:
        print(dict([line.split(": ")]))
    except ValueError as error:
        print(f"{line!r}: {error}")
    name, _, value = line.partition(":")
    print("  which is", {name: value.strip()})

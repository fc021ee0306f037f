// Links to a moment: `#trace=reactor-one-event@7` is step 7, which has this number in the table, too.

"use strict";

{
    function followLink() {
        const [, name, step] = /^#trace=([\w-]+)@(\d+)$/.exec(location.hash) ?? [];
        Player.players.get(name)?.open(Number(step));
    }
    window.addEventListener("hashchange", followLink);
    // A second click on the same link changes nothing in the address.
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("a[href*='#trace=']");
        if (link && link.hash === location.hash && link.pathname === location.pathname) {
            followLink();
        }
    });
    window.addEventListener("load", followLink);
}

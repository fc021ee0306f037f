// Links to a moment: `#trace=reactor-one-event@7` is row 7 of this table.

"use strict";

{
    /** `#trace=reactor-one-event@7` is row 7. */
    function followLink() {
        const [, name, row] = /^#trace=([\w-]+)@(\d+)$/.exec(location.hash) ?? [];
        Player.players.get(name)?.open(Number(row));
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

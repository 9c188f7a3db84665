"""The pages people touch: chat, the TAs' console, insights. Thin: what is decided and stored is elsewhere.

One page is one module with a NiceGUI page function inside the shared frame, its words in `words/<page>.yaml`:

    @ui.page("/queue")
    async def queue_page(visit: TaVisit) -> None:
        say = words("console", visit.lang)
        with frame(visit, say("title"), active="console"):
            ui.label(say("nothing_open"))

`visit.caller`, `visit.service` and `visit.lang` are what a page needs; a visitor who may not see it is sent to
`/login` before the function runs. The module is named in `PAGES` of `mount.py`.

Styles: `static/style.css` has the colours as variables for light and dark. There is no Tailwind here: it would cost
every page 270 kB of script and a pause before the first paint.
"""

/// How the page looks: black on white on a screen of any colours, and on paper.
///
/// The page has no margin of its own, which leaves a browser no room to print the name of the file or of the machine; the
/// sheet has it instead. Lengths are millimetres, so that the picture is as large on paper as it is meant to be.
enum RecoveryPageStyle {
    static let text = """
        * { box-sizing: border-box; margin: 0; padding: 0 }
        html { color-scheme: only light; background: #fff; color: #000 }
        body { background: #fff; color: #000; font: 10pt/1.4 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "Noto Sans", "DejaVu Sans", sans-serif; -webkit-text-size-adjust: none; text-size-adjust: none }
        pre, code, dd, .groups { font-family: ui-monospace, Menlo, Consolas, "Cascadia Mono", "DejaVu Sans Mono", "Noto Sans Mono", "Liberation Mono", monospace; font-variant-ligatures: none; font-variant-numeric: slashed-zero }
        main { width: var(--width); height: calc(var(--height) - 1mm); margin: 0 auto; padding: 15mm 18mm 13mm; display: flex; flex-direction: column; overflow: hidden }
        header { display: flex; justify-content: space-between; align-items: baseline; padding-bottom: 2mm; border-bottom: .5mm solid #000 }
        h1 { font-size: 19pt; line-height: 1.15; font-weight: 700 }
        .code { display: flex; align-items: center; gap: 6mm; margin: 3mm 0 3mm -4.76mm }
        svg { flex: none; width: 44mm; height: 44mm; background: #fff; fill: #000; forced-color-adjust: none }
        .groups { font-size: 29pt; line-height: 1; display: grid; grid-template-columns: repeat(4, max-content); gap: 5mm 6mm; margin-bottom: 4mm }
        .groups b { font-weight: 400; white-space: nowrap }
        .groups b::before { content: attr(data-from); display: block; font: 7pt/1.3 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "Noto Sans", "DejaVu Sans", sans-serif }
        .power { font-size: 11pt; font-weight: 700 }
        .note { font-size: 9pt; line-height: 1.35 }
        dl { display: grid; grid-template-columns: repeat(2, auto); justify-content: start; gap: 1mm 12mm; margin: 3mm 0; padding: 2.5mm 0; border: solid #000; border-width: .2mm 0 }
        dl div { display: flex; gap: 3mm; align-items: baseline }
        dt { min-width: 22mm }
        dd { font-size: 9.5pt; white-space: nowrap }
        h2 { font-size: 13pt; line-height: 1.2 }
        h3 { font-size: 10pt; margin-top: 3mm }
        pre { font-size: 9pt; line-height: 1.35; white-space: pre; margin-top: .6mm; padding-left: 2.5mm; border-left: .4mm solid #000 }
        pre.first { font-size: 13pt; margin: 2mm 0 }
        ol { padding-left: 6mm; margin: 1.5mm 0 }
        li { font-size: 9.5pt; margin-bottom: 2mm }
        .note + .note { margin-top: 1.5mm }
        footer { margin-top: auto }
        footer p { line-height: 1; display: flex; align-items: end; height: 11mm; gap: 4mm }
        footer i { flex: 1; border-bottom: .25mm solid #000 }
        @media print { html { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
        """
}

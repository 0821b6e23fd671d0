import encodeQR from 'qr'
import { html, type Markup } from './html.ts'

/** The empty border that ISO/IEC 18004 asks for, in modules. */
const border = 4

/**
 * A text as a QR code that is part of the page, dark on white in either scheme, for scanners want it so. About 900
 * characters are easily scanned from a screen; @throws Error from some 2,900 on.
 */
export function qrCode(text: string, label: string): Markup {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border })
  const size = String(rows.length)
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#ffffff" />
    <path d="${rows.map(pathOfRow).join('')}" fill="#000000" />
  </svg>`
}

/** The dark modules of a row, those side by side as one. */
function pathOfRow(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] !== true) continue
    const from = x
    while (row[x + 1] === true) x += 1
    const width = String(x + 1 - from)
    path += `M${String(from)} ${String(y)}h${width}v1h-${width}z`
  }
  return path
}

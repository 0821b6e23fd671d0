export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/**
 * The rows of a table as RFC 4180 writes it, with the line each begins at; empty ones are left out. Its cells are
 * parted by what the first line uses: a comma, a semicolon as where the comma is the decimal sign, or a tab. Undefined
 * where a quotation is never closed: whatever follows would be one cell.
 */
export function readCsv(text: string, mostRows: number): readonly CsvRow[] | undefined {
  const source = text.replace(/^\uFEFF/, '')
  const sign = signOf(source)
  const rows: CsvRow[] = []
  let [at, line] = [0, 1]
  while (at < source.length && rows.length < mostRows) {
    const begun = line
    const cells: string[] = []
    for (;;) {
      const cell = readCell(source, at, sign)
      if (cell === undefined) return undefined
      cells.push(cell.text)
      line += cell.text.split('\n').length - 1
      at = cell.end
      if (source[at] !== sign) break
      at += 1
    }
    if (source[at] === '\r') at += 1
    if (source[at] === '\n') at += 1
    line += 1
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: begun, cells })
  }
  return rows
}

function signOf(source: string): string {
  const [first = ''] = source.split('\n', 1)
  const counts = [',', ';', '\t'].map((sign) => [first.split(sign).length, sign] as const)
  return counts.reduce((most, one) => (one[0] > most[0] ? one : most))[1]
}

function readCell(
  source: string,
  from: number,
  sign: string,
): { readonly text: string; readonly end: number } | undefined {
  if (source[from] !== '"') {
    let end = from
    while (end < source.length && source[end] !== sign && source[end] !== '\n' && source[end] !== '\r') end += 1
    return { text: source.slice(from, end), end }
  }
  let end = from + 1
  for (;;) {
    end = source.indexOf('"', end)
    if (end < 0) return undefined
    if (source[end + 1] !== '"') break
    end += 2
  }
  const text = source
    .slice(from + 1, end)
    .replaceAll('""', '"')
    .replaceAll('\r\n', '\n')
  // What follows the closing sign belongs to no cell.
  end += 1
  while (end < source.length && source[end] !== sign && source[end] !== '\n' && source[end] !== '\r') end += 1
  return { text, end }
}

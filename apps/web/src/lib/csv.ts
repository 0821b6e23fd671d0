/** A table as RFC 4180 writes it. A cell that a spreadsheet would run as a formula is made a text first. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n'
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A phone asks first, and reads the file when the person has said yes. */
const keptMs = 120_000

/** Hands a text or what was captured to the reader as a file; nothing leaves the browser. */
export function saveAs(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, keptMs)
}

/** A Markdown table; a pipe inside a cell is escaped, a newline becomes a space. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A reference page: its title, what it is printed from, and its parts. */
export function page(title: string, source: string, ...parts: readonly string[]): string {
  return [`# ${title}`, `Printed from ${source} by \`npm run docs\`; edit the source, not this page.`, ...parts]
    .join('\n\n')
    .concat('\n')
}

export function code(text: string): string {
  return `\`${text}\``
}

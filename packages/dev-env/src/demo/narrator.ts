import { styleText } from 'node:util'

/** Tells what happens while it happens; colours only where a person looks. */
export type Narrator = {
  title(text: string): void
  step(text: string): void
  detail(label: string, value: string): void
  table(head: readonly string[], rows: readonly (readonly string[])[]): void
}

const labelWidth = 14

export function createNarrator(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): Narrator {
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    stream.isTTY ? styleText(format, text, { stream }) : text
  const say = (line: string): void => {
    stream.write(`${line}\n`)
  }
  let count = 0
  return {
    title: (text) => {
      say(`\n  ${style(['bold', 'green'], text)}\n`)
    },
    step: (text) => {
      say(`  ${style('bold', `${String(++count).padStart(2)}`)}  ${text}`)
    },
    detail: (label, value) => {
      say(`      ${style('dim', label.padEnd(labelWidth))}${value}`)
    },
    table(head, rows) {
      const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)))
      const line = (cells: readonly string[]): string =>
        `  ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('   ')}`
      say(`\n${style('bold', line(head))}`)
      for (const row of rows) say(line(row))
      say('')
    },
  }
}

/** Dollars with all six decimals, so that nothing is rounded away. */
export function dollars(atomic: bigint): string {
  const digits = (atomic < 0n ? -atomic : atomic).toString().padStart(7, '0')
  return `${atomic < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

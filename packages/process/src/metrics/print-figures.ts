import type { Figures, Sample, ToldOf } from './figure.ts'

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text that Prometheus reads. What nobody knows now is left out: an old number would look like a new one. */
export function printFigures<Of extends Figures>(figures: Of, told: ToldOf<Of>): string {
  return Object.entries(figures)
    .flatMap(([name, { type, says }]) => {
      const known = told[name] ?? []
      const samples: readonly Sample[] = typeof known === 'number' ? [{ value: known }] : known
      if (samples.length === 0) return []
      return [`# HELP ${name} ${escaped(says)}`, `# TYPE ${name} ${type}`, ...samples.map((one) => line(name, one))]
    })
    .map((one) => `${one}\n`)
    .join('')
}

function line(name: string, { part, labels, value }: Sample): string {
  return `${name}${part ?? ''}${labels === undefined ? '' : labelled(labels)} ${String(value)}`
}

function labelled(labels: NonNullable<Sample['labels']>): string {
  let text = '{'
  for (const [key, word] of Object.entries(labels)) text += `${text === '{' ? '' : ','}${key}="${quoted(word)}"`
  return `${text}}`
}

// Most words need nothing, and a page has thousands.
const quoted = (word: string): string => (/["\\\n]/.test(word) ? escaped(word).replaceAll('"', String.raw`\"`) : word)

function escaped(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`)
}

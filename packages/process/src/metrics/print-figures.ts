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

function line(name: string, { part, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text).replaceAll('"', String.raw`\"`)}"`)
  return `${name}${part ?? ''}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${String(value)}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`)
}

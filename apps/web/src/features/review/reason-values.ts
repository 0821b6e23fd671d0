import type { Output } from '@ergon/sdk'
import type { Format } from '../../lib/format.ts'
import type { MessageValues } from '../../lib/messages.ts'

type Figures = NonNullable<Output<'submissions.get'>['checks'][number]['figures']>

/**
 * The figures of a reason as the reader's language writes them, by the unit in their name; counts stay numbers for its
 * plurals.
 */
export function reasonValues(figures: Figures, format: Format): MessageValues {
  const written = Object.entries(figures).map(
    ([name, figure]) => [name, typeof figure === 'string' ? figure : measure(name, figure, format)] as const,
  )
  return { ...Object.fromEntries(written), clocks: 'apart_most_s' in figures ? 'two' : 'one' }
}

function measure(name: string, figure: number, format: Format): string | number {
  if (name.endsWith('_m')) return format.distance(figure)
  if (name.endsWith('_s')) return format.duration(figure)
  if (name.endsWith('_h'))
    return format.number(figure, { style: 'unit', unit: 'hour', unitDisplay: 'long', maximumFractionDigits: 1 })
  if (name.endsWith('_kmh'))
    return format.number(figure, { style: 'unit', unit: 'kilometer-per-hour', maximumFractionDigits: 0 })
  return figure
}

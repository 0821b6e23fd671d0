import type { Representation, WebFile } from './web-file.ts'

export type Chosen = Representation & { readonly coding: 'br' | 'gzip' | null }

/** The form of a file that this caller reads best; `identity` when it names none (RFC 9110 §12.5.3). */
export function chooseForm(file: WebFile, acceptEncoding: string | undefined): Chosen {
  const weights = weightsOf(acceptEncoding ?? '')
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  const offered = (
    [
      ['br', file.br],
      ['gzip', file.gzip],
    ] as const
  ).flatMap(([coding, form]) => (form === null || weightOf(coding) === 0 ? [] : [{ coding, ...form }]))
  const [best] = offered.toSorted((one, other) => weightOf(other.coding) - weightOf(one.coding))
  if (best === undefined || (weights.get('identity') ?? 0) > weightOf(best.coding))
    return { coding: null, ...file.identity }
  return best
}

/** Whether a caller reads what is packed by gzip. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const weights = weightsOf(acceptEncoding ?? '')
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

function weightsOf(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((part): readonly [string, number] => {
      const [coding = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith('q='))
      const value = weight === undefined ? 1 : Number(weight.slice(2))
      return [coding, value >= 0 && value <= 1 ? value : 0]
    }),
  )
}

import { code, page, table } from './table.ts'

type Routed = {
  readonly access: { readonly by: string; readonly unsigned?: number; readonly session?: true; readonly admin?: true }
  readonly rest: readonly { readonly method: string; readonly path: string }[]
}
type Off = { readonly code: string }

export type EndpointSources = {
  /** Endpoints that the specification names, by its headings. */
  readonly specified: Readonly<Record<string, readonly string[]>>
  readonly operations: Readonly<Record<string, Routed>>
  readonly disabledAt: (path: string) => Off | undefined
  /** What the tour does with each operation. */
  readonly steps: Readonly<Record<string, string>>
}

/**
 * Every endpoint of the specification and every one beyond it: what answers there, and which step of the tour calls it.
 */
export function endpointPage({ specified, operations, disabledAt, steps }: EndpointSources): string {
  const served = new Map(
    Object.entries(operations).flatMap(([name, operation]) =>
      operation.rest.map(({ method, path }) => [nameless(`${method} ${path}`), { name, operation }] as const),
    ),
  )
  const row = (route: string): readonly string[] => {
    const found = served.get(nameless(route))
    if (found !== undefined)
      return [code(route), code(found.name), whoMayCall(found.operation.access), 'yes', steps[found.name] ?? '']
    const off = disabledAt(route.slice(route.indexOf(' ') + 1))
    return [
      code(route),
      '',
      '',
      off === undefined ? 'no' : `where the deployment offers it, else ${code(off.code)}`,
      off === undefined ? '' : 'apps/server/test/oauth, disabled-features.test.ts',
    ]
  }
  const all = new Set(Object.values(specified).flat().map(nameless))
  const beyond = Object.values(operations)
    .flatMap(({ rest }) => rest.map(({ method, path }) => `${method} ${path}`))
    .filter((route) => !all.has(nameless(route)))
  const parts = Object.entries({ ...specified, 'Beyond the specification': beyond }).flatMap(([heading, routes]) => [
    `## ${heading}`,
    table(['Endpoint', 'Operation', 'Who', 'Served', 'Tested by'], routes.map(row)),
  ])
  return page(
    'Endpoints',
    'packages/contract/test/specified-endpoints.json, the operations and apps/server/test/tour/step-names.json',
    'Every REST endpoint that the specification names, then those beyond it. "Tested by" is the step of apps/server/test/tour that calls the operation by each of its routes, with success, on a live market; apps/server/test/matrix asks each route as every kind of caller.',
    ...parts,
  )
}

const nameless = (route: string): string => route.replaceAll(/\{[a-z_]+\}/g, '{}')

function whoMayCall({ by, unsigned, session, admin }: Routed['access']): string {
  const others = [...(admin === true ? ['admin'] : []), ...(session === true && by === 'wallet' ? ['session'] : [])]
  return `${[by, ...others].join(' or ')}${unsigned === undefined ? '' : `; ${String(unsigned)} unsigned`}`
}

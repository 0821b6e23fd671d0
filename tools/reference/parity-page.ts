import {
  a2aActions,
  a2aMethods,
  operations,
  tools,
  type A2aMethod,
  type Operation,
  type OperationName,
  type Tool,
} from '@ergon/contract'
import { code, page, table } from './table.ts'

/** One call that the parity test plays over every transport. */
export type ParityRow = {
  readonly name: string
  readonly operation: OperationName
  readonly expected: string
  readonly gaps: readonly string[]
  readonly otherwise: Readonly<Record<string, string>>
}

/** Which calls are proven to be answered alike, and under which name each transport takes them. */
export function parityPage(rows: readonly ParityRow[]): string {
  const line = ({ name, operation, expected, gaps, otherwise }: ParityRow): readonly string[] => {
    const cell = (transport: string, spoken: string | undefined): string =>
      gaps.includes(transport) || spoken === undefined
        ? 'not offered'
        : `${code(spoken)}${otherwise[transport] === undefined ? '' : `; ${otherwise[transport]} names the code`}`
    return [
      name,
      code(expected),
      cell('REST', routeOf(operation)),
      cell('tools', toolOf(operation)),
      cell('A2A', a2aOf(operation)),
    ]
  }
  return page(
    'Parity of the transports',
    'apps/server/test/parity/table.json',
    'Each call is made over REST, the tool server and A2A against one live market (apps/server/test/parity). The three answer the same body and the same code; only ids, times and transactions are left out of the comparison, by the list in normaliser.ts. Where a cell says how a transport names the code, the code alone is compared. What a transport does not offer is said here and held by the test.',
    table(['Call', 'Answer', 'REST', 'Tool', 'A2A'], rows.map(line)),
  )
}

function routeOf(name: OperationName): string | undefined {
  const [binding] = (operations[name] as Operation).rest
  return binding === undefined ? undefined : `${binding.method} ${binding.path}`
}

const toolOf = (name: OperationName): string | undefined =>
  Object.entries<Tool>(tools).find(([, { operation }]) => operation === name)?.[0]

/** A method in the market's own words, else an action of `message/send`. */
function a2aOf(name: OperationName): string | undefined {
  const method = Object.entries<A2aMethod>(a2aMethods).find(
    ([, { dialect, operation }]) => dialect === 'market' && operation === name,
  )?.[0]
  const action = Object.entries(a2aActions).find(([, operation]) => operation === name)?.[0]
  return method ?? (action === undefined ? undefined : `message/send ${action}`)
}

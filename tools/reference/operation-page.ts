import { code, page, table } from './table.ts'

export type OperationRow = {
  readonly section: string
  readonly summary: string
  readonly access: {
    readonly by: string
    readonly scope?: string | null
    readonly identity?: boolean
    readonly admin?: boolean
  }
  readonly success: number
  readonly already?: true
  readonly inFlight?: boolean
  readonly rest: readonly { readonly method: string; readonly path: string }[]
}

export type DisabledRow = { readonly code: string; readonly says: string; readonly routes: OperationRow['rest'] }

/** Every operation with its routes, by section, and the routes that are off. */
export function operationPage(
  operations: Readonly<Record<string, OperationRow>>,
  disabled: Readonly<Record<string, DisabledRow>>,
): string {
  const sections = Map.groupBy(Object.entries(operations), ([, operation]) => operation.section)
  const parts = [...sections].flatMap(([section, entries]) => [
    `## ${section}`,
    table(
      ['Operation', 'Routes', 'Who', 'Answers', 'Summary'],
      entries.map(([name, operation]) => [
        code(name),
        operation.rest.map(({ method, path }) => code(`${method} ${path}`)).join('<br>'),
        whoMayCall(operation.access),
        statusesOf(operation).join(' or '),
        operation.summary,
      ]),
    ),
  ])
  const off = [
    '## Off',
    'These routes are known and answer only that they are off, whatever the method and whoever asks.',
    table(
      ['Feature', 'Routes', 'Answers', 'Says'],
      Object.entries(disabled).map(([feature, row]) => [
        code(feature),
        row.routes.map(({ method, path }) => code(`${method} ${path}`)).join('<br>'),
        code(row.code),
        row.says,
      ]),
    ),
  ]
  return page(
    'Operations',
    'packages/contract/src/operations/',
    'The full schemas are in [openapi.json](openapi.json).',
    ...parts,
    ...off,
  )
}

function whoMayCall({ by, scope, identity, admin }: OperationRow['access']): string {
  const needs = identity === true ? `${by} with an identity` : admin === true ? `${by} or admin` : by
  return typeof scope === 'string' ? `${needs}, scope ${code(scope)}` : needs
}

const statusesOf = ({ success, already, inFlight }: OperationRow): readonly number[] => [
  success,
  ...(already === true ? [200] : []),
  ...(inFlight === true ? [202] : []),
]

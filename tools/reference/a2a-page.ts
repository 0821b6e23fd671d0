import {
  a2aActions,
  a2aCodeOf,
  a2aErrors,
  a2aHttpStatus,
  a2aMethods,
  a2aPath,
  a2aStateOf,
  a2aVersion,
  errorCatalogue,
  operations,
  taskStatuses,
  type A2aMethod,
  type ErrorCode,
  type Operation,
} from '@ergon/contract'
import { code, page, table } from './table.ts'

/** Methods, actions, states and codes of the agent-to-agent protocol, as they are served. */
export function a2aPage(): string {
  return page(
    'Agent to agent',
    'packages/contract/src/a2a.ts',
    `JSON-RPC 2.0 at ${code(`POST ${a2aPath}`)}, protocol ${a2aVersion} (decision 0065). ` +
      `\`signed\` methods need a wallet-signed request.`,
    '## Methods',
    table(
      ['Method', 'Caller', 'Operation', 'Params', 'Result', 'What it does'],
      Object.entries<A2aMethod>(a2aMethods).map(([name, { access, operation, params, result, summary, streams }]) => [
        code(name),
        access,
        operation === undefined ? '' : code(operation),
        paramsOf(params, operation),
        `${result}${streams === true ? ' Server-sent events.' : ''}`,
        summary,
      ]),
    ),
    '## Actions of `message/send`',
    'A data part `{"action": …, "params": {…}}`; params are the fields of the operation.',
    table(
      ['Action', 'Caller', 'Operation', 'What it does'],
      Object.entries(a2aActions).map(([action, name]) => {
        const operation: Operation = operations[name]
        return [code(action), operation.access.by === 'anyone' ? 'anyone' : 'signed', code(name), operation.summary]
      }),
    ),
    '## States',
    table(
      ['Status', 'To the publisher', 'To others'],
      taskStatuses.map((status) => [
        code(status),
        code(a2aStateOf(status, 'publisher')),
        code(a2aStateOf(status, 'other')),
      ]),
    ),
    'Where a signature of the wallet is missing, an action answers `auth-required` with a `wallet_action`, and nothing has changed.',
    '## Errors',
    'HTTP says 200 unless a status is named; `data` is the body that REST answers. Codes without a name in the protocol are -32040 minus (status - 400), or -32090 minus (status - 500).',
    table(
      ['Code', 'Name'],
      Object.entries(a2aErrors).map(([name, { code: number }]) => [String(number), name]),
    ),
    table(['Code', 'HTTP', 'Codes of the market'], codesByNumber()),
  )
}

function paramsOf(params: A2aMethod['params'], operation: A2aMethod['operation']): string {
  if (params !== undefined) return Object.keys(params.properties).map(code).join(', ')
  return operation === undefined ? '' : 'the fields of the operation'
}

function codesByNumber(): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>()
  for (const name of Object.keys(errorCatalogue) as ErrorCode[]) {
    // the keys of a literal
    const status = a2aHttpStatus(name)
    const key = `${String(a2aCodeOf(name))} ${status === 200 ? '' : String(status)}`
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  return [...groups]
    .sort(([a], [b]) => parseInt(b, 10) - parseInt(a, 10))
    .map(([key, names]) => [...key.split(' '), names.map(code).join(', ')])
}

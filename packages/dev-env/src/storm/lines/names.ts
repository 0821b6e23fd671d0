import type { HttpQuestion } from './http-line.ts'

type Named = { readonly name: string; readonly hasEffect: boolean }

/** Calls of the node after which something is different; the others read. */
const sending: ReadonlySet<string> = new Set(['eth_sendRawTransaction', 'evm_mine'])
/** Reads on which a decision about money rests: whoever loses their answer must not guess it. */
const deciding: ReadonlySet<string> = new Set([
  'eth_getTransactionReceipt',
  'eth_getBlockReceipts',
  'eth_getTransactionCount',
  'eth_getLogs',
  'eth_call',
  'eth_getBlockByNumber',
  'eth_blockNumber',
  'eth_getTransactionByHash',
  'eth_estimateGas',
  'eth_feeHistory',
])

/** A call of the node by its methods; a batch by what it holds. */
export function nameOfRpc({ body }: HttpQuestion): Named {
  const parsed = parse(body)
  const methods = [...new Set((Array.isArray(parsed) ? parsed : [parsed]).map(methodOf))].sort()
  return {
    name: methods.join('+') || 'nothing',
    hasEffect: methods.some((method) => sending.has(method) || deciding.has(method)),
  }
}

/** A request to the facilitator by its path, and a settlement by what it settles. */
export function nameOfFacilitation({ method, path, body }: HttpQuestion): Named {
  const bare = (path.split('?')[0] ?? path).replaceAll(/0x[0-9a-f]+|\/\d+|[0-9a-f-]{36}/gi, (match) =>
    match.startsWith('/') ? '/N' : 'X',
  )
  const action = bare === '/settle' ? ` ${actionIn(body.toString('utf8'))}` : ''
  return { name: `${method} ${bare}${action}`, hasEffect: method === 'POST' }
}

/** A request of a client by its method and its path without ids. */
export function nameOfApi({ method, path }: HttpQuestion): Named {
  const bare = (path.split('?')[0] ?? path)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '{id}')
    .replaceAll(/\/operations\/[^/]+/g, '/operations/{key}')
  return { name: `${method} ${bare}`, hasEffect: method !== 'GET' }
}

function actionIn(text: string): string {
  return /"action"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? 'exact'
}

function methodOf(call: unknown): string {
  return typeof call === 'object' && call !== null && 'method' in call && typeof call.method === 'string'
    ? call.method
    : 'nothing'
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

import { operations } from '../../operations/index.ts'
import type { Operation, RestBinding } from '../../operation.ts'
import { pathFields, takesIdempotencyKey } from '../../rest-binding.ts'
import { headerNames } from '../../vocabulary.ts'
import type { Step } from './step.ts'

type Given = Readonly<Record<string, unknown>>

/** The request of a step as it is sent, with its placeholders; the body is JSON. */
export function requestText({ request }: Step, baseUrl: string): string {
  if ('put' in request) return [`PUT ${request.put}`, ...headerLines(request.headers), '', request.file].join('\n')
  const { operation, give = {} } = request
  const { binding, definition } = boundTo(operation)
  const { query, headers, body } = placed(give, binding)
  const hasBody = binding.method !== 'GET' && binding.method !== 'DELETE'
  const all = {
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    ...(takesIdempotencyKey(definition, binding) ? { [headerNames.idempotencyKey]: '{new_key}' } : {}),
    ...headers,
  }
  const target = `${baseUrl}${binding.path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  return [`${binding.method} ${target}`, ...headerLines(all), ...(hasBody ? ['', jsonText(body)] : [])].join('\n')
}

/** Method and path of a step, as they are documented. */
export function routeOf({ request }: Step): string {
  if ('put' in request) return `PUT ${request.put}`
  const { method, path } = boundTo(request.operation).binding
  return `${method} ${path}`
}

/** An operation and the route that the documents print. */
export function boundTo(name: keyof typeof operations): {
  readonly definition: Operation
  readonly binding: RestBinding
} {
  const definition: Operation = operations[name]
  const [binding] = definition.rest
  if (binding === undefined) throw new Error(`${name} has no route`)
  return { definition, binding }
}

function placed(give: Given, { method, path, headers = {} }: RestBinding) {
  const inPath = new Set(pathFields(path))
  const rest = Object.entries(give).filter(([name]) => !inPath.has(name))
  const inHeaders = rest.flatMap(([name, value]) => {
    const header = headers[name]
    return header === undefined ? [] : [[header, String(value)] as const]
  })
  const others = rest.filter(([name]) => headers[name] === undefined)
  const isQuery = method === 'GET' || method === 'DELETE'
  return {
    headers: Object.fromEntries(inHeaders),
    query: isQuery ? others.map(([name, value]) => `${name}=${String(value)}`) : [],
    body: isQuery ? {} : Object.fromEntries(others),
  }
}

const headerLines = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

const lineWidth = 110

/** JSON in lines of a readable width: members share a line as far as they fit. */
export function jsonText(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (line.length + indent.length <= lineWidth || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const members = Object.entries(value).map(
    ([name, one]) => `${isList ? '' : `${JSON.stringify(name)}: `}${jsonText(one, inner)}`,
  )
  const lines = members.reduce<readonly string[]>((all, member) => {
    const last = all.at(-1)
    const joined = `${last ?? ''}, ${member}`
    return last === undefined || joined.includes('\n') || inner.length + joined.length > lineWidth
      ? [...all, member]
      : [...all.slice(0, -1), joined]
  }, [])
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.map((one) => `${inner}${one}`).join(',\n')}\n${indent}${close}`
}

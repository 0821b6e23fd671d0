import { toolDocument, type Tool } from '@ergon/contract'
import { code, page, table } from './table.ts'

/** Every tool with its operation, its hints and the arguments it shows. */
export function toolPage(tools: Readonly<Record<string, Tool>>): string {
  const rows = Object.entries(tools).map(([name, tool]) => {
    const { inputSchema, description } = toolDocument(name, tool)
    return [code(name), description, argumentsOf(inputSchema), code(tool.operation), tool.effect]
  })
  const quiet = Object.entries(tools).flatMap(([name, tool]) =>
    tool.quiet === undefined ? [] : [[code(name), tool.quiet.map(code).join(', ')]],
  )
  return page(
    'Tools',
    'packages/contract/src/tools/tools.ts',
    'One tool is one operation: its fields, checks, limits and errors. A question mark follows what may be left out.',
    table(['Tool', 'What it does', 'Arguments', 'Operation', 'Effect'], rows),
    '## Accepted and not shown',
    'Arguments a model rarely needs; they are taken, and left out of `tools/list` to keep it short.',
    table(['Tool', 'Arguments'], quiet),
  )
}

function argumentsOf(schema: Readonly<Record<string, unknown>>): string {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.keys(schema['properties'] ?? {})
    .map((name) => code(required.has(name) ? name : `${name}?`))
    .join(', ')
}

import { toolDocument, toolsetNames, toolsOf, type Tool } from '@ergon/contract'
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
    '## Sets',
    'With `?tools=publish,services` in the address of the tools, `tools/list` shows these sets alone (decision 0324). ' +
      'What is not listed can be called as before.',
    table(['Set', 'Tools', 'Tokens'], sets(tools)),
    '## Accepted and not shown',
    'Arguments a model rarely needs; they are taken, and left out of `tools/list` to keep it short.',
    table(['Tool', 'Arguments'], quiet),
  )
}

/** Each set, and what its list costs a model at every turn, at four characters a token. */
function sets(tools: Readonly<Record<string, Tool>>): readonly (readonly string[])[] {
  const rows = toolsetNames.map((name) => [code(name), new Set<string>(toolsOf([name]))] as const)
  return [...rows, ['all', new Set(Object.keys(tools))] as const].map(([name, listed]) => {
    const shown = Object.entries(tools).filter(([one]) => listed.has(one))
    const cost = shown.map(([one, tool]) => {
      const { description, inputSchema } = toolDocument(one, tool)
      return JSON.stringify([one, description, inputSchema]).length / 4
    })
    return [
      name,
      name === 'all' ? String(shown.length) : shown.map(([one]) => code(one)).join(', '),
      String(Math.round(cost.reduce((sum, one) => sum + one, 0))),
    ]
  })
}

function argumentsOf(schema: Readonly<Record<string, unknown>>): string {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.keys(schema['properties'] ?? {})
    .map((name) => code(required.has(name) ? name : `${name}?`))
    .join(', ')
}

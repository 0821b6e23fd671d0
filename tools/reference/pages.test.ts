import { commands, exitCodes } from '@ergon/cli'
import { errorCatalogue, openApiDocument, operations } from '@ergon/contract'
import { expect, test } from 'vitest'
import { referencePages } from './pages.ts'
import { table } from './table.ts'
import { specifiedEndpoints } from './test-data.ts'

const pages = referencePages()

test('the error page names every code of the catalogue once', () => {
  for (const name of Object.keys(errorCatalogue)) {
    expect(pages['errors.md']?.split(`| \`${name}\` |`)).toHaveLength(2)
  }
})

test('the operation page names every route of every operation', () => {
  const routes = Object.values(operations).flatMap((operation) =>
    operation.rest.map(({ method, path }) => `\`${method} ${path}\``),
  )
  expect(routes.filter((route) => !pages['operations.md']?.includes(route))).toEqual([])
})

test('the endpoint page has one row for each endpoint of the specification, and none of them is not served', () => {
  const rows = (pages['endpoints.md'] ?? '').split('\n')
  for (const route of Object.values(specifiedEndpoints()).flat())
    expect(
      rows.filter((row) => row.startsWith(`| \`${route}\` |`)),
      route,
    ).toHaveLength(1)
  expect(rows.filter((row) => row.includes('| no |'))).toEqual([])
})

test('a page is printed the same way twice, so that a difference is a change of the code', () => {
  expect(referencePages()).toEqual(pages)
})

test('openapi.json holds the document that the service serves', () => {
  const served = openApiDocument({ serverUrl: 'http://127.0.0.1:4020', version: '0.1.0' })
  expect(JSON.parse(pages['openapi.json'] ?? '')).toEqual(JSON.parse(JSON.stringify(served)))
})

test('a pipe in a cell does not open another column', () => {
  expect(table(['a'], [['x|y']])).toBe('| a |\n| --- |\n| x\\|y |')
})

test('the command page names every command, every option and every number a command ends with', () => {
  const text = pages['cli.md'] ?? ''
  for (const { words, options = {} } of commands) {
    const section = text.split(`### ${words.join(' ')}\n`)[1]?.split('\n### ')[0] ?? ''
    expect(section).toContain(`ergon ${words.join(' ')}`)
    for (const option of Object.keys(options)) expect(section, words.join(' ')).toContain(`--${option}`)
  }
  for (const { code } of Object.values(exitCodes)) expect(text).toContain(`| ${String(code)} | `)
})

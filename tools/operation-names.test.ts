import { readFileSync } from 'node:fs'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '@ergon/contract'

const root = join(import.meta.dirname, '..')
const names = Object.keys(operations).map((name) => name.replace('.', '\\.'))
const prefixes = [...new Set(Object.keys(operations).map((name) => name.split('.')[0] ?? ''))]
const quoted = `['"\`](?:${names.join('|')})['"\`]`
const compared = new RegExp(
  [
    `[!=]==?\\s*${quoted}`,
    `${quoted}\\s*[!=]==?`,
    `\\bcase\\s+${quoted}`,
    `\\.startsWith\\(['"\`](?:${prefixes.join('|')})\\.['"\`]`,
  ].join('|'),
)

/** Lines that ask which operation it is, in place of what the operation says about itself. */
const faultsIn = (text: string): readonly string[] => text.split('\n').filter((line) => compared.test(line))

test('policy is data on the operation: no source compares names of operations (decision 0107)', () => {
  const files = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  )
  expect(files.length).toBeGreaterThan(500)
  const faults = files.flatMap((file) =>
    faultsIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
  )
  expect(faults).toEqual([])
})

test.each([
  "if (plan.name === 'service.health') return null",
  "return name !== 'auth.signingPolicy'",
  "const isPublish = 'tasks.publish' === name",
  "case 'h2a.publish':",
  "if (name.startsWith('admin.')) refuse()",
])('such a line is found: %s', (line) => {
  expect(faultsIn(line)).toEqual([line])
})

test.each(["'tasks.publish': async (call, input) => {", "if (event.type === 'task.created') return"])(
  'such a line is not: %s',
  (line) => {
    expect(faultsIn(line)).toEqual([])
  },
)

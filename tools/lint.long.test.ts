import { ESLint } from 'eslint'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

// The text is judged as if it stood in these files, because the type-aware rules want a file of a project.
const anywhere = 'packages/protocols/src/index.ts'
const core = 'packages/core/src/index.ts'
const noun = 'packages/core/src/tasks/task.ts'

// A program reads files, and these are texts: the service that editors use takes both.
const asEdited = { languageOptions: { parserOptions: { project: null, projectService: true } } }
const eslint = new ESLint({ cwd: fileURLToPath(new URL('..', import.meta.url)), overrideConfig: asEdited })

async function rulesBrokenBy(filePath: string, text: string): Promise<readonly (string | null)[]> {
  const results = await eslint.lintText(text, { filePath })
  return results.flatMap((result) => result.messages.map((message) => message.ruleId))
}

const long = (lines: number) => Array.from({ length: lines }, (_, index) => `  void ${index}\n`).join('')

describe('lint refuses', () => {
  test.each([
    ['a promise nobody waits for', anywhere, 'Promise.resolve(1)\n', '@typescript-eslint/no-floating-promises'],
    ['any', anywhere, 'export const x = (y: any) => typeof y\n', '@typescript-eslint/no-explicit-any'],
    [
      'a non-null assertion',
      anywhere,
      'export const x = (y: string | undefined) => y!\n',
      '@typescript-eslint/no-non-null-assertion',
    ],
    [
      'a switch that forgets a member',
      anywhere,
      "export function f(x: 'a' | 'b') { switch (x) { case 'a': return 1 } return 2 }\n",
      '@typescript-eslint/switch-exhaustiveness-check',
    ],
    [
      'a value import of a type',
      anywhere,
      "import { Hex } from './bytes.ts'\nexport const x: Hex = '0x'\n",
      '@typescript-eslint/consistent-type-imports',
    ],
    ['a default export', anywhere, 'export default 1\n', 'no-restricted-syntax'],
    ['an enum', anywhere, 'export enum Colour { Red }\n', 'no-restricted-syntax'],
    ['a function longer than a screen', anywhere, `export function f() {\n${long(70)}}\n`, 'max-lines-per-function'],
    ['a file longer than 400 lines', anywhere, `export {}\n${long(400)}`, 'max-lines'],
    ['a clock in the core', core, 'export const now = () => Date.now()\n', 'no-restricted-properties'],
    ['a date of now in the core', core, 'export const now = () => new Date()\n', 'no-restricted-syntax'],
    ['randomness in the core', core, 'export const dice = () => Math.random()\n', 'no-restricted-properties'],
    ['the process in the core', core, 'export const env = () => process.env\n', 'no-restricted-globals'],
    ['the network in the core', core, "export const get = () => fetch('http://x.test')\n", 'no-restricted-globals'],
    [
      'waiting in a noun',
      noun,
      'export async function f(x: Promise<number>) { return (await x) + 1 }\n',
      'no-restricted-syntax',
    ],
  ])('%s', async (_, file, text, rule) => {
    expect(await rulesBrokenBy(file, text)).toContain(rule)
  })

  test('nothing in a flow that waits for a port', async () => {
    expect(await rulesBrokenBy(core, 'export async function f(x: Promise<number>) { return (await x) + 1 }\n')).toEqual(
      [],
    )
  })
})

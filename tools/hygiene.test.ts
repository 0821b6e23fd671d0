import { describe, expect, test } from 'vitest'
import { complaintsAbout, isReadable, missingTests, unmarkedDecisions } from './hygiene.ts'

const word = ['TO', 'DO'].join('')
const clumsy = ['stan', 'ds'].join('')
const [anybody, tells, told] = [
  ['Some', 'body'],
  ['say', 's of'],
  ['sai', 'd of'],
].map((parts) => parts.join(''))

describe('hygiene refuses', () => {
  test.each([
    ['a path of one machine', 'src/a.ts', `const dir = '/${'home'}/ada/x'`, 'src/a.ts:1'],
    ['a promise without an issue', 'src/a.ts', `\n// ${word}: later`, 'src/a.ts:2'],
    ['a file named for nothing', 'src/utils.ts', '', 'src/utils.ts'],
    ['a file that is not in kebab-case', 'src/paymentInfo.ts', '', 'src/paymentInfo.ts'],
    ['a component that is not in kebab-case', 'src/PayButton.tsx', '', 'src/PayButton.tsx'],
    ['a component named for nothing', 'src/utils.tsx', '', 'src/utils.tsx'],
    ['a promise in a component', 'src/a.tsx', `// ${word}: later`, 'src/a.tsx:1'],
    ['a key written twice', 'package.json', '{ "a": {},\n"b": { "a": 1 },\n"a": 2 }', 'package.json:3'],
    [
      'a lock that names a registry',
      'package-lock.json',
      '"resolved": "https://example.test/a.tgz"',
      'package-lock.json:1',
    ],
    ['a merge conflict', 'src/a.ts', `${'<'.repeat(7)} HEAD`, 'src/a.ts:1'],
    ['a page longer than a page', 'README.md', 'x\n'.repeat(200), 'README.md'],
    ['a task that does so at a place', 'src/a.ts', `\n/** Where a task ${clumsy}. */`, 'src/a.ts:2'],
    ['a person without a name', 'docs/guides/a.md', `${anybody} pays.`, 'docs/guides/a.md:1'],
    ['what a wallet tells about itself', 'src/a.tsx', `// What a wallet ${tells} itself.`, 'src/a.tsx:1'],
    ['what it told about itself', 'c/layout.h', `/* What is ${told} it. */`, 'c/layout.h:1'],
    [
      'the same in a new migration',
      'apps/a/migrations/0099-a.sql',
      `-- a row that ${clumsy}`,
      'apps/a/migrations/0099-a.sql:1',
    ],
  ])('%s', (_, path, text, start) => {
    expect(complaintsAbout({ path, text }).map((complaint) => complaint.split(' ')[0])).toEqual([start])
  })
})

describe('hygiene accepts', () => {
  test.each([
    ['a promise with its issue', 'src/a.ts', `// ${word} (#12): later`],
    ['an address on the web that only looks like a path', 'src/a.ts', 'https://example.test/home/ada'],
    ['a test beside its file', 'src/payment-info.test.ts', ''],
    ['a key in two objects and in a text', 'a.json', '{ "a": [{ "b": "{\\"a\\":" }, { "b": "a" }], "c": { "a": 1 } }'],
    ['a long page that is not one of the three', 'docs/glossary.md', 'x\n'.repeat(200)],
    ['a word of then in a decision', 'docs/decisions/0001-a.md', `It ${clumsy}.`],
    ['a printed page, whose source is read', 'docs/reference/a.md', `It ${clumsy}.`],
    ['a migration that was released', 'apps/a/migrations/0005-sessions.sql', `-- a row that ${clumsy}`],
    ['the page that names the words', 'STYLE.md', `not "${clumsy}"`],
    ['a longer word with one inside', 'src/a.ts', `const bed = 'night${clumsy}'`],
  ])('%s', (_, path, text) => {
    expect(complaintsAbout({ path, text })).toEqual([])
  })
})

test.each(['src/a.ts', 'src/a.tsx', 'src/a.h', 'a.json', 'docs/a.md', '.ci/run'])('hygiene reads %s', (path) => {
  expect(isReadable(path)).toBe(true)
})

test('a page may name only tests that are there', () => {
  const page = { path: 'SECURITY.md', text: 'held by `http/here.test.ts` and `http/gone.test.ts`' }
  expect(missingTests(page, ['apps/server/test/http/here.test.ts'])).toEqual([
    'SECURITY.md names http/gone.test.ts, which is not there',
  ])
  expect(missingTests({ ...page, path: 'docs/decisions/0001-a.md' }, [])).toEqual([])
})

test('a decision that a later one changed says so', () => {
  const decision = (number: string, status: string) => ({
    path: `docs/decisions/${number}-a.md`,
    text: `# ${number} A\n\n- Date: 2026-11-23\n- Status: ${status}\n\n## Context\n\nThe rest supersedes 0003.\n`,
  })
  const later = decision('0004', 'accepted; supersedes what 0001 says about keys, narrows 0002; adds to 0003')
  const others = [decision('0001', 'accepted'), decision('0002', 'accepted; narrowed by 0004')]
  expect(unmarkedDecisions([later, ...others, decision('0003', 'accepted')])).toEqual([
    'docs/decisions/0001-a.md does not say in its status that 0004 changed it',
  ])
})

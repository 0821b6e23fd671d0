import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import ts from 'typescript'
import { afterAll, describe, expect, test } from 'vitest'
import { refusedByCompiler } from './compile.ts'
import { instrument } from './instrument.ts'
import { mutantsOf, type Mutant } from './mutants.ts'
import { codeHashOf, stagesOf } from './plan.ts'
import {
  asTheyAre,
  ended,
  heldOf,
  merged,
  newSurvivors,
  reportOf,
  scoreOf,
  scoresOf,
  unmeasured,
  type FileReport,
} from './report.ts'

const folder = mkdtempSync(join(tmpdir(), 'ergon-mutants-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: { strict: true, target: 'ES2024', module: 'NodeNext', types: [] },
    include: ['*.ts'],
  }),
)

function mutantsIn(text: string, name = 'rule.ts'): readonly Mutant[] {
  writeFileSync(join(folder, name), text)
  const program = ts.createProgram([join(folder, name)], { strict: true, target: ts.ScriptTarget.ES2024 })
  const source = program.getSourceFile(join(folder, name))
  if (source === undefined) throw new Error('no source')
  return mutantsOf(source, program.getTypeChecker()).map((edit, index) => ({
    ...edit,
    id: index + 1,
    file: name,
    line: 1,
    was: text.slice(edit.start, edit.end),
  }))
}

const changesOf = (text: string): readonly string[] => mutantsIn(text).map(({ was, now }) => `${was} → ${now}`)

test.each([
  [
    'a bound is moved and turned',
    'export const f = (a: number) => ({ x: a < 3 })',
    ['a < 3 → a <= 3', 'a < 3 → a >= 3'],
  ],
  ['an equality is turned', 'export const f = (a: number) => ({ x: a === 3 })', ['a === 3 → a !== 3']],
  ['and becomes or', 'export const f = (a: object, b: object) => ({ x: a && b })', ['a && b → a || b']],
  ['a negation goes', 'export const f = (a: object) => ({ x: !a })', ['!a → a']],
  [
    'each side of a default is left alone',
    'export const f = (a: object | null, b: object) => ({ x: a ?? b })',
    ['a ?? b → a', 'a ?? b → b'],
  ],
  ['a sum becomes a difference', 'export const f = (a: number) => a + 1', ['a + 1 → a - 1']],
  ['a condition is forced', 'export const f = (a: object | null) => ({ x: a ? 1 : 2 })', ['a → false', 'a → true']],
  [
    'a returned value is emptied as its type allows',
    'export const f = (a: string[] | null, b: string[] | null) => { return a }',
    ['a → []', 'a → null'],
  ],
  ['a statement goes', 'export const f = (a: () => void) => { a() }', ['a() → ;']],
  ['a list and a text are emptied', "export const f = { list: [1], text: 'x' }", ['[1] → []', "'x' → ''"]],
  ['one of a few words stays', "export const f: { kind: 'a' | 'b' } = { kind: 'a' }", []],
  [
    'some becomes every',
    'export const f = (a: number[]) => ({ x: a.some(Number) })',
    ['a.some(Number) → a.every(Number)'],
  ],
  [
    'an optional step inside a chain is taken without asking',
    'export const f = (a?: { b: { c: object } }) => ({ x: a?.b.c })',
    ['a?.b.c → a.b.c'],
  ],
  [
    'types are left alone',
    "export type F = 'a' | 'b'; import type { G } from './g.ts'; export interface H { i: 'j' }",
    [],
  ],
])('%s', (_what, text, changes) => {
  expect(changesOf(text)).toEqual(changes)
})

describe('an instrumented file', () => {
  const text =
    "export function f(a, b) {\n  const seen = []\n  if (a > 1 && !b?.off) seen.push(a + 1)\n  else seen.push('none')\n  return seen\n}\n"

  function load(mutants: readonly Mutant[], active: number): (a: number, b?: { off: boolean }) => unknown {
    const code = stripTypeScriptTypes(instrument(text, mutants)).replace('export ', '')
    // The text above and the changes made of it, nothing else.
    const made = compileFunction(`${code}; return f`, ['$m']) as (
      isOn: (id: number) => boolean,
    ) => ReturnType<typeof load>
    return made((id) => id === active)
  }

  test('behaves as it did while no mutant is switched on, and as the one that is', () => {
    const mutants = mutantsIn(text)
    const outcome = (active: number, a: number, b?: { off: boolean }): string => {
      try {
        return JSON.stringify(load(mutants, active)(a, b))
      } catch {
        return 'throws'
      }
    }
    expect([outcome(0, 1), outcome(0, 2), outcome(0, 2, { off: true })]).toEqual(['["none"]', '[3]', '["none"]'])
    const of = (now: string): number => mutants.find((mutant) => mutant.now === now)?.id ?? 0
    expect(outcome(of('a >= 1'), 1)).toBe('[2]')
    expect(outcome(of('a > 1 || !b?.off'), 1)).toBe('[2]')
    expect(outcome(of('b.off'), 2)).toBe('throws')
    expect(outcome(of("''"), 1)).toBe('[""]')
    expect(outcome(of('true'), 1)).toBe('[2]')
    expect(mutants.filter(({ isStatement }) => isStatement).map(({ id }) => [outcome(id, 1), outcome(id, 2)])).toEqual([
      ['["none"]', '[]'],
      ['[]', '[3]'],
    ])
  })

  test('keeps its lines', () => {
    expect(instrument(text, mutantsIn(text)).split('\n').length).toBe(text.split('\n').length)
  })
})

test('what the compiler refuses is not tried', () => {
  const mutants = mutantsIn('export const f = (a: string | null): string => (a === null ? "x" : a.trim())', 'typed.ts')
  const refused = new Set<number>()
  refusedByCompiler(folder, folder, mutants, (_tried, now) => {
    for (const id of now) refused.add(id)
  })
  const left = mutants.filter(({ id }) => !refused.has(id)).map(({ was, now }) => `${was} → ${now}`)
  expect(left).toEqual(['"x" → \'\''])
})

describe('a report', () => {
  const mutant = (id: number, was = 'a'): Mutant => ({
    id,
    file: 'rule.ts',
    line: id,
    was,
    now: 'b',
    kind: 'sum',
    start: 0,
    end: 1,
    isStatement: false,
  })
  const textOf = (file: string): string => `text of ${file}`
  const survivor = { line: 2, kind: 'sum', was: 'a', now: 'b' }
  const file = (...lines: number[]): FileReport => ({
    text: 'text of rule.ts',
    mutants: 10,
    killed: 10 - lines.length,
    untried: 0,
    tests: [],
    survivors: lines.map((line) => ({ ...survivor, line })),
  })

  test('counts what no test meets and what was not tried as alive, rounds down, and names the tests that killed', () => {
    const verdicts = new Map([
      [1, 'killed'],
      [2, 'survived'],
      [3, 'unmet'],
      [4, 'open'],
    ] as const)
    const mutants = [1, 2, 3, 4].map((id) => mutant(id))
    const report = reportOf(
      ['rule.ts', 'types.ts'],
      mutants,
      { verdicts, killers: new Map([[1, 'rule.test.ts']]) },
      textOf,
    )
    expect(report).toMatchObject({
      'rule.ts': { mutants: 4, killed: 1, untried: 1, tests: ['rule.test.ts'], survivors: [{ line: 2 }, { line: 3 }] },
      'types.ts': { mutants: 0, survivors: [] },
    })
    expect(scoresOf({ core: report, dispatch: { ...report, 'other.ts': file(1) } })).toEqual({
      core: 25,
      dispatch: 71.4,
    })
  })

  test('names a survivor as new by its text, wherever in its file it moved to, and as often as it is there', () => {
    expect(newSurvivors({ 'rule.ts': file(9) }, { 'rule.ts': file(2) })).toEqual([])
    expect(newSurvivors({ 'rule.ts': file(2, 9) }, { 'rule.ts': file(2) })).toEqual([
      { ...survivor, file: 'rule.ts', line: 9 },
    ])
    expect(newSurvivors({ 'moved.ts': file(2) }, { 'rule.ts': file(2) })).toHaveLength(1)
  })

  test('says nothing of a file that changed, moved or is new', () => {
    const known = { 'rule.ts': file(), 'changed.ts': file() }
    expect(unmeasured(['rule.ts', 'changed.ts', 'moved.ts'], known, textOf)).toEqual(['changed.ts', 'moved.ts'])
  })

  test('a file that changed since counts as not tried, and one that is gone not at all', () => {
    const known = { 'rule.ts': file(1), 'changed.ts': file(1), 'gone.ts': file() }
    const now = asTheyAre(['rule.ts', 'changed.ts', 'new.ts'], known, textOf)
    expect(scoreOf(now)).toEqual({ percent: 45, mutants: 20, killed: 9, untried: 10 })
    expect(Object.keys(now)).toEqual(['rule.ts', 'changed.ts'])
  })

  test('can leave out a file for which the time was over', () => {
    expect(Object.keys(ended({ 'rule.ts': file(1), 'cut.ts': { ...file(), untried: 1 } }))).toEqual(['rule.ts'])
  })

  test('takes in what was measured now, and lets go of a file that is gone', () => {
    expect(
      merged({ 'gone.ts': file(), 'rule.ts': file(1) }, { 'rule.ts': file(), 'new.ts': file() }, ['rule.ts', 'new.ts']),
    ).toEqual({ 'new.ts': file(), 'rule.ts': file() })
  })

  test('a run that was cut takes nothing back that was killed in the same text', () => {
    const cut = { ...file(), killed: 3, untried: 7 }
    const known = { 'rule.ts': file(1), 'other.ts': { ...file(1), text: 'another text' } }
    expect(merged(known, { 'rule.ts': cut, 'other.ts': cut }, ['rule.ts', 'other.ts'])).toEqual({
      'other.ts': cut,
      'rule.ts': file(1),
    })
    expect(merged({ 'rule.ts': cut }, { 'rule.ts': file(9) }, ['rule.ts'])).toEqual({ 'rule.ts': file(9) })
  })

  test('holds a change by what it does not name already, and what was not tried is not held', () => {
    expect(heldOf({ 'rule.ts': file(4, 5) }, { 'rule.ts': file(1, 2) })).toBe(100)
    expect(heldOf({ 'rule.ts': file(4, 5) }, { 'rule.ts': file(1) })).toBe(88.8)
    expect(heldOf({ 'rule.ts': { ...file(), killed: 8, untried: 2 } }, {})).toBe(80)
    expect(heldOf({}, {})).toBe(100)
  })
})

test('quick tests try mutants before slow ones are looked at, and what flows leave is tried on PostgreSQL', () => {
  const files = [
    'packages/core/src/tasks/rules.test.ts',
    'simulation/test/mutation/seeds.test.ts',
    'apps/server/test/market/disputes.test.ts',
    'apps/server/test/market/account.test.ts',
    'apps/server/test/dispatch/order.test.ts',
    'apps/server/test/http/words.test.ts',
    'apps/facilitator/test/rules/gas.test.ts',
  ]
  const [rules, seeds, disputes, account, order, words, gas] = files
  expect(stagesOf(files)).toMatchObject([
    { files: [rules, gas], bed: 'memory' },
    { files: [order], bed: 'memory' },
    { files: [seeds, disputes], bed: 'memory' },
    { files: [disputes, account, words], bed: 'postgres' },
  ])
  // What meets rules of the facilitator later has a chain under it.
  const triers = (file: string): readonly boolean[] => stagesOf(files).map(({ isFor }) => isFor(file))
  expect(triers('apps/facilitator/src/gas/gas-terms.ts')).toEqual([true, false, false, false])
  expect(triers('apps/server/src/dispatch/dispatch.ts')).toEqual([true, true, true, true])
})

test('a source is measured still when its comments, types or line breaks changed, and not when its code did', () => {
  const written = ['one', 'two', 'three'].map((name) => join(folder, `${name}.ts`))
  const [one, two, three] = written
  const texts = [
    '/** Doubles. */\nexport const double = (n: number): number => n * 2\n',
    '// Twice as much.\n\nexport const double = (n: bigint | number): number =>\n  // why\n  n * 2\n',
    '/** Doubles. */\nexport const double = (n: number): number => n * 3\n',
  ]
  for (const [index, text] of texts.entries()) writeFileSync(written[index] ?? '', text)
  expect(codeHashOf(two ?? '')).toBe(codeHashOf(one ?? ''))
  expect(codeHashOf(three ?? '')).not.toBe(codeHashOf(one ?? ''))
})

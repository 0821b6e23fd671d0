import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { programOf, refusedByCompiler } from './compile.ts'
import { instrument } from './instrument.ts'
import { mutantsOf, type Mutant } from './mutants.ts'
import type { Bed } from './round.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
/** Where a run keeps what it works with: two at one time do not share it. */
export const workplace = join(root, '.cache/mutation', String(process.pid))

/** What of the facilitator judges by itself: the rest asks a chain or a database, and a mutant would cost seconds. */
const rulesOfFacilitator = [
  'apps/facilitator/src/{wire,verify,config}/*.ts',
  'apps/facilitator/src/gas/gas-{budget,share,terms}.ts',
  'apps/facilitator/src/gas/payment-gas.ts',
  'apps/facilitator/src/settle/{direct,elapsed,escrow,lifecycle}.ts',
  'apps/facilitator/src/identity/{feedback-fields,minted,network,owned-agents,payment-behind,payment-proof,relay-authorization}.ts',
  'apps/facilitator/src/chain/{expectation,recognise,replacements,reverts,rlp,transaction}.ts',
  'apps/facilitator/src/solana/{costs,envelope,ledger-faults,payment,read-address,sol-budget}.ts',
]

/** `floor`: what a change has to hold, and what the committed report has to show. */
export const folders = {
  core: { workspace: 'packages/core', sources: ['packages/core/src/**/*.ts'], floor: 90 },
  dispatch: { workspace: 'apps/server', sources: ['apps/server/src/dispatch/**/*.ts'], floor: 85 },
  protocols: { workspace: 'packages/protocols', sources: ['packages/protocols/src/**/*.ts'], floor: 85 },
  channels: { workspace: 'packages/channels', sources: ['packages/channels/src/**/*.ts'], floor: 95 },
  oauth: { workspace: 'packages/oauth', sources: ['packages/oauth/src/**/*.ts'], floor: 88 },
  facilitator: { workspace: 'apps/facilitator', sources: rulesOfFacilitator, floor: 96 },
} as const
export type Folder = keyof typeof folders

/** Views are presentation, interfaces and rows of networks are data, what serves tests is tested by them. */
const left = /\.test\.ts$|\/(views|testing|abis)\/|\/(network|settings)-table\.ts$/

/** The tests that may kill: those that run the sources in their own process. */
const tests = [
  'packages/core/src/**/*.test.ts',
  'packages/{protocols,channels,oauth}/test/**/!(*.long).test.ts',
  'apps/facilitator/test/rules/*.test.ts',
  'simulation/test/mutation/*.test.ts',
  'apps/server/test/{market,dispatch,sessions,webhooks}/**/*.test.ts',
  'apps/server/test/{dispatch-text,agent-keys,live-settings,present}.test.ts',
  'apps/server/test/{errors,notices,parity,tour,http}/**/!(*.long).test.ts',
]

export function sourcesOf(folder: Folder): readonly string[] {
  return filesOf(folders[folder].sources).filter((file) => !left.test(file))
}

/** In this order, so that the close ones are looked at first. */
export const testFiles = (): readonly string[] =>
  tests.flatMap((one) => filesOf([one])).filter((file) => !slow.test(file))

/** Files of tests that try mutants together, before the next ones are so much as looked at. */
export type Stage = {
  readonly files: readonly string[]
  readonly bed: Bed
  /** Whether they try the mutants of this file. */
  readonly isFor: (file: string) => boolean
}

/**
 * The quick ones first, and what they leave is tried by the slower: rules alone, then one call without a transport or
 * a database, then flows in memory, and PostgreSQL at last. Rules of the facilitator are held by tests of rules alone:
 * what else meets them has a chain under it.
 */
export function stagesOf(files: readonly string[]): readonly Stage[] {
  const isRule = (file: string): boolean => /^(packages|apps\/facilitator)\//.test(file)
  const isFor = (file: string): boolean => !file.startsWith('apps/facilitator/')
  const isFlow = (file: string): boolean => /^simulation\/|\/test\/market\//.test(file) && !needsPostgres.test(file)
  const isReal = (file: string): boolean => file.startsWith('apps/') && !isCall.test(file) && !isRule(file)
  return [
    { files: files.filter(isRule), bed: 'memory', isFor: () => true },
    { files: files.filter((file) => isCall.test(file)), bed: 'memory', isFor },
    { files: files.filter(isFlow), bed: 'memory', isFor },
    { files: files.filter(isReal), bed: 'postgres', isFor },
  ]
}

/** One call at a time, over nothing that is kept. */
const isCall =
  /\/test\/((dispatch|sessions)\/.*|webhooks\/webhook-body|dispatch-text|agent-keys|live-settings|present)\.test\.ts$/

/** Nearly all of their tests ask PostgreSQL itself; one waits for what only PostgreSQL does. */
const needsPostgres = new RegExp(
  '/(account|assign-notes|audit-log|bans|channel-stops|correlation|event-taps|events|late-copies|ledger-check|listings|' +
    'uploads|verification)(\\.long)?\\.test\\.ts$',
)

/** Walks of hours, jobs stopped at every await, bodies of a megabyte: what they hold, quicker tests hold too. */
const slow = /\/(keyed-stops|races|simulation|record-order|hostile-bodies|migrate)(\.long)?\.test\.ts$/

function filesOf(patterns: readonly string[]): readonly string[] {
  return globSync([...patterns], { cwd: root }).toSorted()
}

/** The mutants of these files, numbered from `first`, without those that do not compile. */
export function plan(folder: Folder, files: readonly string[], first: number): readonly Mutant[] {
  const kept = readPlans()
  const left = files.filter((file) => kept[planKeyOf(file)] === undefined)
  if (left.length > 0) {
    for (const [file, own] of planned(folder, left)) kept[planKeyOf(file)] = own
    mkdirSync(dirname(plansPath), { recursive: true })
    writeFileSync(plansPath, JSON.stringify(kept))
  }
  return files
    .flatMap((file) => kept[planKeyOf(file)] ?? [])
    .map((mutant, index): Mutant => ({ ...mutant, id: first + index }))
}

const planKeyOf = (file: string): string => `${file} ${hashOf(join(root, file))}`

/** By file; the checker is asked once for all of them. */
function planned(folder: Folder, files: readonly string[]): ReadonlyMap<string, readonly Mutant[]> {
  const { workspace } = folders[folder]
  const program = programOf(join(root, workspace))
  const checker = program.getTypeChecker()
  const all = files.flatMap((file) => {
    const source = program.getSourceFile(join(root, file))
    if (source === undefined) throw new Error(`${file} is not part of ${workspace}`)
    const lineOf = (start: number): number => source.getLineAndCharacterOfPosition(start).line + 1
    const edits = mutantsOf(source, checker)
    return edits.map((edit) => ({
      ...edit,
      file,
      line: lineOf(edit.start),
      was: source.text.slice(edit.start, edit.end),
    }))
  })
  const numbered = all.map((mutant, index): Mutant => ({ ...mutant, id: index + 1 }))
  const known = readKnown()
  const unknown = numbered.filter((mutant) => known[keyOf(mutant)] === undefined)
  if (unknown.length > 0) {
    mkdirSync(dirname(knownPath), { recursive: true })
    refusedByCompiler(join(root, workspace), root, unknown, (tried, refused) => {
      for (const mutant of tried) known[keyOf(mutant)] = refused.has(mutant.id)
      writeFileSync(knownPath, JSON.stringify(known))
    })
  }
  return new Map(
    files.map((file) => [file, numbered.filter((mutant) => mutant.file === file && known[keyOf(mutant)] !== true)]),
  )
}

/** The mutants of a file that compile, while its text is the same. */
const plansPath = join(root, '.cache/mutation-plans.json')

function readPlans(): Record<string, readonly Mutant[]> {
  // This file is written above, by us.
  return existsSync(plansPath) ? (JSON.parse(readFileSync(plansPath, 'utf8')) as Record<string, readonly Mutant[]>) : {}
}

/** What the compiler said about a mutant is kept while the text of its file is the same. */
const knownPath = join(root, '.cache/mutation-compiled.json')

function readKnown(): Record<string, boolean> {
  // This file is written below, by us.
  return existsSync(knownPath) ? (JSON.parse(readFileSync(knownPath, 'utf8')) as Record<string, boolean>) : {}
}

/** The same for as long as the text of its file is. */
export function keyOf({ file, start, end, now }: Mutant): string {
  return `${hashOf(join(root, file))}:${String(start)}:${String(end)}:${now}`
}

const hashes = new Map<string, string>()

/** Of the text of a file, as it was when it was first asked for; empty where there is none. */
export function hashOf(path: string): string {
  const digest = (): string => createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 16)
  const hash = hashes.get(path) ?? (existsSync(path) ? digest() : '')
  hashes.set(path, hash)
  return hash
}

const codes = new Map<string, string>()

/** Of what a source does: its comments, its types and its line breaks may change. Empty where there is none. */
export function codeHashOf(path: string): string {
  if (!existsSync(path)) return ''
  const known = codes.get(path)
  if (known !== undefined) return known
  const compilerOptions = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, removeComments: true }
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions })
  const hash = createHash('sha256').update(outputText).digest('base64url').slice(0, 16)
  codes.set(path, hash)
  return hash
}

/** Writes the instrumented copy of every mutated file, for the loader to read instead. */
export function writeCopies(mutants: readonly Mutant[]): void {
  rmSync(workplace, { recursive: true, force: true })
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const copy = join(workplace, 'sources', file)
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, instrument(readFileSync(join(root, file), 'utf8'), own))
  }
}

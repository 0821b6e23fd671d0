import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { code, page, table } from './table.ts'

type Hunt = {
  readonly mutant: string
  readonly what: string
  readonly seeds: number | null
  readonly violation: string | null
}
export type MutantReport = { readonly most: number; readonly hunts: readonly Hunt[] }

const source = 'simulation/mutants.json'

/** What the last hunt for planted bugs found, as it was committed. */
export function mutantReport(): MutantReport {
  // The command writes this file and no other shape of it.
  return JSON.parse(readFileSync(fileURLToPath(new URL(`../../${source}`, import.meta.url)), 'utf8')) as MutantReport
}

const about = `One process holds the whole path of a payment: two servers, two facilitators, their databases, a chain,
the lines between them, and people who use it as sane clients do or act on the chain past it. One seed decides all
that happens: what is late, lost, repeated or cut, when a process dies, what its clock reads, what a payer does on its
own. The same seed is the same story on every machine, byte for byte.`

const commands = [
  [
    'npm run simulate -- --seeds 1..10000',
    'runs these seeds; a failure prints its seed, the commit, the shortest list of faults it needs and the story',
  ],
  ['npm run simulate -- --seed 42', 'one seed, with everything that happens in it'],
  [
    'npm run simulate -- --seed 42 --faults 3 --without 1',
    'the same with its first three faults only, and of those not the second',
  ],
  [
    'npm run simulate -- --seeds 1..10000 --workers 4 --json',
    'shared out over processes; the last line is `{"seeds","failed","seeds_per_second","seeds_per_cpu_second","faults",…}`; each failure and every ten thousandth seed is told on standard error at once',
  ],
  [
    'npm run simulate -- --mutants --out simulation/mutants.json',
    'plants each bug below and counts the seeds until it is found',
  ],
  ['npm run simulate -- --mutant NAME --seeds 1..1000', 'one planted bug'],
] as const

const invariants = [
  'At any moment a bounty is held once, by our hand; nothing is paid twice; what was refused to its payer is never carried out.',
  'When faults have stopped, everything comes to rest: no settlement is open, no task between two states, nothing waits to be mined, nothing that a given up signature moved waits for its watch.',
  'At rest the books are the chain: every wallet, every escrow, the operator and the treasury, to the last atomic unit.',
  'At rest what was locked is what was paid, returned and still held; what a client was told is so.',
  "The stream of events tells each task's story once, in order, without a gap, and ends where the task is: one ending a task.",
  'Work whose required checks passed is never refunded without a ruling or the signature of its worker; silence pays when the review is over, and not before.',
  'At no moment do more wait for a task than its policy lets; who said that it has begun keeps the task, who has not gives way to who waits, when its time is over and not before.',
  'No dispute opens while a settlement of its task is under way.',
  'Nothing of a task with a policy is held beyond the end of its authorization while anybody is awake.',
  "When every deadline has passed, every task is over and nobody's money is held.",
] as const

/** How to run the simulation, what it asks, and how soon it finds what is wrong. */
export function simulationPage({ hunts, most }: MutantReport): string {
  const rows = hunts.map(({ mutant, what, seeds, violation }) => [
    code(mutant),
    what,
    seeds === null ? `not in ${String(most)}` : String(seeds),
    violation ?? '',
  ])
  return page(
    'The simulation',
    source,
    about,
    '## Run it',
    table(
      ['Command', 'What it does'],
      commands.map(([command, what]) => [code(command), what]),
    ),
    '## What must hold',
    invariants.map((one) => `- ${one}`).join('\n'),
    '## Planted bugs',
    'Each is a piece of the product replaced by a wrong one; the number is the first seed that fails.',
    table(['Bug', 'What is wrong', 'Found by seed', 'What fails'], rows),
  )
}

import type { Mutant } from './mutant.ts'

const flows = 'packages/core/src/flows'

/** What goes wrong between a ruling and its end (decision 0168). */
export const rulingMutants: readonly Mutant[] = [
  {
    name: 'a task runs out over its ruling',
    what: 'The deadline of a task without a policy asks for no ruling: machines that slept for two days give back what was awarded.',
    replacements: [
      {
        file: `${flows}/expire.ts`,
        find: " || (status === 'disputed' && turn?.kind === 'ruling')",
        replace: '',
      },
    ],
  },
  {
    name: 'an appeal is not written down',
    what: 'A side is told that it appealed, and the ruling is carried out all the same.',
    replacements: [
      { file: `${flows}/rule.ts`, find: '    await tx.appealRuling(ruling.id, side, reason)\n', replace: '' },
    ],
  },
  {
    name: 'a ruling is carried out at once',
    what: 'The money moves as soon as the arbiter has ruled.',
    replacements: [
      {
        file: `${flows}/rule.ts`,
        find: "await tx.putTimer(task.id, 'ruling_end', ruling.appealUntil)",
        replace: "await tx.putTimer(task.id, 'ruling_end', now)",
      },
      {
        file: `${flows}/carry-out-ruling.ts`,
        find: "const waits = ruling.appealUntil > now || task.turn?.kind === 'owed'",
        replace: "const waits = task.turn?.kind === 'owed'",
      },
    ],
  },
]

import type { Mutant } from './mutant.ts'

const flows = 'packages/core/src/flows'
const terms = 'apps/server/src/adapters/signatures/payment-terms.ts'

function one(name: string, what: string, file: string, find: string, replace: string): Mutant {
  return { name, what, replacements: [{ file, find, replace }] }
}

/** What goes wrong when nobody says anything (decisions 0157 and 0158). */
export const silenceMutants: readonly Mutant[] = [
  one(
    'silence is a refund',
    'The deadline ends a task as if nothing had been handed in, whatever its policy says.',
    `${flows}/expire.ts`,
    'if (task === null || task.deadline > now || !hasDefault(task)) return false',
    'if (task === null || task.deadline > now || !hasDefault(task) || now.getTime() > 0) return false',
  ),
  one(
    'nobody decided for the publisher',
    'A dispute that nobody decided is decided against work that passed its checks.',
    `${flows}/apply-default.ts`,
    "verdict: 'release',",
    "verdict: 'refund',",
  ),
  {
    name: 'the order is used at once',
    what: 'The end of a review is due, and believed, the moment the work is handed in.',
    replacements: [
      {
        file: `${flows}/deadlines.ts`,
        find: "await tx.putTimer(task.id, 'review_end', until)",
        replace: "await tx.putTimer(task.id, 'review_end', now)",
      },
      {
        file: `${flows}/end-review.ts`,
        find: 'if (task.reviewUntil !== null && task.reviewUntil > now) {',
        replace: 'if (task.reviewUntil !== null && task.reviewUntil < new Date(0)) {',
      },
    ],
  },
  one(
    'the end of a review is lost',
    'A timer that was taken up is over, whatever became of what it was for.',
    `${flows}/end-review.ts`,
    "    await disputeSilence(place, submission, 'The review time is over and nobody decided.')\n",
    '',
  ),
  one(
    'nobody takes the default',
    'A deadline that moved passes, and nothing is due then.',
    `${flows}/expire.ts`,
    "await tx.putTimer(taskId, 'outcome', now)",
    'if (now.getTime() < 0) await tx.putTimer(taskId, "outcome", now)',
  ),
  one(
    'a beginning is not written down',
    'A worker is told that its beginning is known, and loses the task to whoever waits.',
    `${flows}/begin.ts`,
    '    await tx.changeTask(taskId, { startBy: null }, now)\n',
    '',
  ),
  one(
    'handed on before the money is back',
    'The task of a worker who has not begun is open again while its bounty is still held.',
    `${flows}/hand-on.ts`,
    "    if (task.escrowStatus === 'authorized') return claimStepDown(deps, tx, task, now)\n",
    '',
  ),
  one(
    'nobody hands on',
    'The time to begin passes, and nothing is due then.',
    `${flows}/deadlines.ts`,
    "  await tx.putTimer(task.id, 'start_by', startBy)\n",
    '',
  ),
  {
    name: 'a beginning is due at once',
    what: 'Whoever is assigned loses the task as soon as another worker waits.',
    replacements: [
      {
        file: `${flows}/deadlines.ts`,
        find: "await tx.putTimer(task.id, 'start_by', startBy)",
        replace: "await tx.putTimer(task.id, 'start_by', now)",
      },
      {
        file: `${flows}/hand-on.ts`,
        find: 'if (task.startBy > now) {',
        replace: 'if (task.startBy < new Date(0)) {',
      },
    ],
  },
  one(
    'the queue has no end',
    'Whoever applies is taken, however many wait.',
    `${flows}/apply.ts`,
    '    await requireRoom(tx, task)\n',
    '',
  ),
  {
    name: 'a release under way is a dispute',
    what: 'A release of silence of which nobody heard is forgotten, and a dispute opens over it.',
    replacements: [
      {
        file: `${flows}/end-review.ts`,
        find: 'if (await tx.hasOpenSettlement(task.id)) return null',
        replace: 'const isUnderWay = await tx.hasOpenSettlement(task.id)',
      },
      {
        file: `${flows}/end-review.ts`,
        find: 'if (prepared !== null && requiredChecksPassed(submission))',
        replace: 'if (!isUnderWay && prepared !== null && requiredChecksPassed(submission))',
      },
    ],
  },
  {
    name: 'bound no longer than the deadline',
    what: 'The challenge asks for a week more than the deadline, whatever the policy promises, and no move of it minds the end.',
    replacements: [
      {
        file: terms,
        find: 'const late = boundUntil === null ? 0 : unix(askedUntil({ deadline, boundUntil }))',
        replace: 'const late = boundUntil === null ? 0 : unix(deadline)',
      },
      {
        file: terms,
        find: 'return authorizationExpiry >= needed ? null : needed',
        replace: 'return authorizationExpiry > 0 ? null : needed',
      },
      {
        file: 'packages/core/src/policy/policy.ts',
        find: 'const latest = authorizationExpiry === null ? wanted : authorizationExpiry * 1_000 - marginMs',
        replace: 'const latest = authorizationExpiry === null ? wanted : Math.max(wanted, authorizationExpiry * 1_000)',
      },
    ],
  },
]

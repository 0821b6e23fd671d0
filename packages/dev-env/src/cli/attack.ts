import { attackClasses } from '../attack/classes/index.ts'
import { attackUsage, readAttackOptions, type AttackOptions } from '../attack/options.ts'
import { linesOf } from '../attack/report.ts'
import { isHeld, jsonOf, runAttack, type AttackReport } from '../attack/run-attack.ts'
import { startTarget } from '../attack/start-target.ts'
import { targetOf } from '../attack/target.ts'
import { findRunning } from '../constellation/record.ts'

/** Three minutes in all, starting and stopping included. */
const mostMs = 160_000
const begun = performance.now()
const narrate = (line: string): void => {
  console.error(`  ${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}`)
}

/** Ends with 0 when everything was stopped. */
async function main(words: readonly string[]): Promise<number> {
  const options = readAttackOptions(words)
  if (options.help) {
    console.log(attackUsage)
    return 0
  }
  const report = await attackWith(options)
  for (const line of linesOf(report)) console.log(line)
  console.log(isHeld(report) ? '  Everything was stopped.' : '  Something got through.')
  if (options.json) console.log(JSON.stringify(jsonOf(report)))
  return isHeld(report) ? 0 : 1
}

async function attackWith({ only, running }: AttackOptions): Promise<AttackReport> {
  const classes = attackClasses.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)))
  if (running !== undefined) {
    const record = findRunning(running)
    if (record === undefined) throw new Error(`nothing runs on ${running}`)
    return runAttack({ target: targetOf(record), classes, isOwn: false, narrate, until: begun + mostMs })
  }
  const stopped = interrupted()
  await using own = await startTarget(narrate)
  return await Promise.race([
    runAttack({ target: own.target, classes, isOwn: true, narrate, until: begun + mostMs }),
    stopped,
  ])
}

/** Whoever stops the program stops what it started: the instance is disposed of on the way out. */
function interrupted(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      reject(new Error(`ended by ${signal}`))
    })
  promise.catch(() => undefined) // a signal may come before anybody waits for one
  return promise
}

const words = process.argv.slice(2)
try {
  process.exitCode = await main(words)
} catch (error) {
  console.error(`  ${error instanceof Error ? error.message : String(error)}`)
  if (words.includes('--json')) console.log(JSON.stringify({ tried: 0, stopped: 0, classes: [] }))
  process.exitCode = 1
}
// What a class left waiting ends with the program.
process.exit()

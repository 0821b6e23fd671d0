import { play, playDuty } from './flows.ts'
import { disagreements, findings, foreignFees, houseMoney } from './rest.ts'
import { openScene, type Scene } from './scene.ts'
import { textOf, type Plan } from './steps.ts'
import type { World } from './world.ts'

/** A played sequence: every step with what became of it, and what was wrong with the books at the end. */
export type Played = { readonly lines: readonly string[]; readonly faults: readonly string[] }

const mostRounds = 30

/** Plays a plan from a fresh task to its rest: once while the task may still go on, once after its deadline. */
export async function runPlan(world: World, plan: Plan): Promise<Played> {
  const before = await houseMoney(world)
  const scene = await openScene(world, plan.mode, plan.bountyUsd)
  const lines: string[] = [`a task of ${plan.bountyUsd} USD in ${plan.mode}; the first worker has applied`]
  for (const step of plan.steps) {
    try {
      lines.push(`${textOf(step)}: ${await play(scene, step)}`)
    } catch (error) {
      return {
        lines: [...lines, textOf(step)],
        faults: [`it failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
      }
    }
  }
  try {
    return { lines, faults: await restOf(scene, before) }
  } catch (error) {
    return {
      lines,
      faults: [`the duties failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
    }
  }
}

async function restOf(scene: Scene, before: Awaited<ReturnType<typeof houseMoney>>): Promise<readonly string[]> {
  const { world, deadline } = scene
  await quiet(scene)
  // What was refused may land until its signature has run out.
  await world.time.advance(4_200)
  await quiet(scene)
  const open = (await disagreements(scene, false)).map((fault) => `at rest: ${fault}`)
  if (open.length > 0) return open
  await world.time.reach(deadline + 61)
  await quiet(scene)
  for (let round = 0; round < 3; round += 1) {
    await world.time.advance(610)
    await playDuty(scene, { on: 'duties', do: 'all' })
  }
  const after = await houseMoney(world)
  const unbooked =
    after.chain - before.chain - (after.ledger - before.ledger) - scene.donated - (await foreignFees(scene))
  return [
    ...(await disagreements(scene, true)).map((fault) => `when it is over: ${fault}`),
    ...(await findings(scene)),
    ...(unbooked === 0n ? [] : [`operator and treasury have ${String(unbooked)} that nobody booked`]),
  ]
}

/** Runs the duties, each round five minutes later, until nothing of the task is open. */
async function quiet(scene: Scene): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1) {
    await playDuty(scene, { on: 'duties', do: 'all' })
    const {
      rows: [row],
    } = await scene.world.pool.query<{ open: string }>(
      "select count(*)::text as open from settlements where task_id = $1 and status in ('claimed', 'in_doubt')",
      [scene.taskId],
    )
    if (row?.open === '0') return
    await scene.world.time.advance(310)
  }
}

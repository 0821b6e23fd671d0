import type { OperationName } from '@ergon/contract'
import type { Scene } from './scene.ts'
import { channelSteps } from './steps-channels.ts'
import { grantSteps } from './steps-grants.ts'
import { hookSteps } from './steps-hooks.ts'
import { houseSteps } from './steps-house.ts'
import { moneySteps } from './steps-money.ts'
import { peopleSteps } from './steps-people.ts'
import { workSteps } from './steps-work.ts'

/** Calls an operation by every route until it succeeds, for a reason that a caller has. */
export type Step = (scene: Scene) => Promise<unknown>
export type Steps = Readonly<Record<OperationName, Step>>

/** One step for every operation: a forgotten one does not compile. */
export const steps: Steps = {
  ...workSteps,
  ...moneySteps,
  ...peopleSteps,
  ...houseSteps,
  ...hookSteps,
  ...grantSteps,
  ...channelSteps,
}

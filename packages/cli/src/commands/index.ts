import type { Command } from '../command.ts'
import {
  channelBind,
  channelClose,
  channelKey,
  channelMeter,
  channelOpen,
  scan,
  tick,
  workerPayout,
} from './channel.ts'
import { createCompletion } from './completion.ts'
import { configList, configShow, configUse } from './config.ts'
import { applicants, approve, assign, dispute, payFee, reject, requestChanges, review } from './decide.ts'
import { doctor } from './doctor.ts'
import { events, listen, trigger } from './events.ts'
import { faucet } from './faucet.ts'
import { init } from './init.ts'
import { mcpInstall, mcpServe } from './mcp.ts'
import { mcpLimits } from './mcp-limits.ts'
import { rate } from './rate.ts'
import { servicesList, servicesOrder, servicesPost } from './services.ts'
import { sessionList, sessionShow, sessionStart, sessionStop, sessionTick } from './session.ts'
import { taskCancel, taskEdit, taskWatch, wait } from './task-change.ts'
import { taskFunding } from './task-funding.ts'
import { taskPublish } from './task-publish.ts'
import { taskList, taskShow } from './task-read.ts'
import { whoami } from './whoami.ts'
import { apply, submit, withdraw } from './work.ts'
import { workerEarnings, workerProfile, workerRegister } from './worker.ts'

/** Every command; help, completion and the guide are printed from this list. */
export const commands: readonly Command[] = [
  init,
  whoami,
  doctor,
  configShow,
  configList,
  configUse,
  taskPublish,
  taskList,
  taskShow,
  taskFunding,
  taskWatch,
  taskEdit,
  taskCancel,
  apply,
  withdraw,
  submit,
  applicants,
  assign,
  review,
  approve,
  payFee,
  reject,
  requestChanges,
  dispute,
  wait,
  rate,
  servicesList,
  servicesPost,
  servicesOrder,
  workerRegister,
  workerProfile,
  workerEarnings,
  workerPayout,
  channelKey,
  channelOpen,
  channelBind,
  tick,
  scan,
  channelMeter,
  channelClose,
  sessionStart,
  sessionList,
  sessionShow,
  sessionTick,
  sessionStop,
  events,
  listen,
  trigger,
  faucet,
  mcpServe,
  mcpLimits,
  mcpInstall,
  createCompletion(() => commands),
]

import { limits, runConfigKeys, runSettings, type RunConfigKey } from '@ergon/contract'
import { MarketError, type AdminAct, type Forced } from '@ergon/core'
import { Compile, type Validator } from 'typebox/compile'
import { done, inFlight, type Answer, type Call, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import {
  presentAdminWorker,
  presentAuditLine,
  presentFinding,
  presentMetrics,
  presentSetting,
  presentSweep,
} from './present/admin.ts'
import { pageFields, pageRequest, sliceOf } from './present/page.ts'
import { presentAdminReport } from './present/reports.ts'
import { presentTask } from './present/task.ts'

type Admin = HandlersOf<'admin'>
type Settings = 'admin.readConfig' | 'admin.changeConfig'
type Acts = 'admin.forceTask' | 'admin.elapse' | 'admin.ban' | 'admin.sweepFees' | 'admin.decideReport'

/** What whoever holds the admin key does; dispatch has checked the key (decision 0057). */
export function createAdminHandlers(deps: ApiDeps): Admin {
  return { ...views(deps), ...acts(deps), ...settings(deps) }
}

function views(deps: ApiDeps): Omit<Admin, Acts | Settings> {
  const { market } = deps
  return {
    'admin.metrics': async () => {
      const [metrics, health, findings, lags, uploads] = await Promise.all([
        market.adminMetrics(),
        market.paymentsHealth(),
        market.moneyFindings(),
        market.chainLags(),
        market.uploadSizes(),
      ])
      return done(
        presentMetrics({
          metrics,
          health,
          findings,
          lags,
          uploads,
          refusals: deps.refusals(),
          process: deps.process(),
          at: deps.now(),
        }),
      )
    },
    'admin.tasks': async (_call, input) => {
      const page = await market.adminTasks(
        { status: input.status ?? null, search: input.search ?? null },
        pageRequest(input),
      )
      return done({ tasks: page.rows.map(presentTask), ...pageFields(page) })
    },
    'admin.workers': async (_call, input) => {
      const found = await market.adminWorkers(
        { status: input.status ?? null, search: input.search ?? null },
        { limit: input.limit ?? limits.pageDefault, offset: input.offset ?? 0 },
      )
      return done({
        workers: found.rows.map(presentAdminWorker),
        total: found.total,
        count: found.rows.length,
        offset: found.offset,
        has_more: found.hasMore,
      })
    },
    'admin.findings': async (_call, input) => {
      const { limit, offset } = sliceOf(input)
      const found = await market.unresolvedFindings(limit + 1, offset)
      const findings = found.slice(0, limit).map(presentFinding)
      return done({ findings, count: findings.length, offset, has_more: found.length > limit })
    },
    'admin.reports': async (_call, input) => {
      const page = await market.adminReports(input.status ?? 'open', pageRequest(input))
      return done({ reports: page.rows.map(presentAdminReport), ...pageFields(page) })
    },
    'admin.audit': async (_call, input) => {
      const page = await market.auditLines(input.subject ?? null, pageRequest(input))
      return done({ lines: page.rows.map(presentAuditLine), ...pageFields(page) })
    },
  }
}

function acts({ market, live }: ApiDeps): Pick<Admin, Acts> {
  return {
    'admin.forceTask': async (call, input) =>
      forced(await market.forceTask(input.task_id, input.status, act(call, input))),
    'admin.elapse': async (call, input) =>
      done(presentTask(await market.elapse(input.task_id, input.hours, act(call, input)))),
    'admin.ban': async (call, input) => {
      const worker = await market.setBan(input.executor_id, input.banned, act(call, input))
      await live.refresh() // this process knows before it answers; the others within two seconds
      return done(presentAdminWorker(worker))
    },
    'admin.sweepFees': async (call, input) => {
      const sweeps = await market.sweepFees(
        { network: input.network ?? null, token: input.token ?? null },
        act(call, { reason: 'asked for', ...input }),
      )
      const body = { sweeps: sweeps.map(presentSweep) }
      return sweeps.some(({ state }) => state === 'in flight') ? inFlight(body) : done(body)
    },
    'admin.decideReport': async (call, input) => {
      const report = await market.decideReport(input.report_id, input.action, act(call, input))
      await live.refresh()
      return done(presentAdminReport(report))
    },
  }
}

function settings(deps: ApiDeps): Pick<Admin, Settings> {
  const { market, live } = deps
  const checks = new Map<RunConfigKey, Validator>(runConfigKeys.map((key) => [key, Compile(runSettings[key].schema)]))
  return {
    'admin.readConfig': () =>
      done({
        settings: runConfigKeys.map((key) => presentSetting(key, live.config(), live.defaults)),
        fixed: {
          fee_bps: limits.feeBps,
          payment_mode: deps.paymentMode,
          says: 'The contracts set the fee and the deployment sets the payment mode. Neither changes while the service runs.',
        },
      }),
    'admin.changeConfig': async (call, input) => {
      const key = runConfigKeys.find((one) => one === input.key)
      if (key === undefined)
        throw new MarketError('CONFIG_NOT_CHANGEABLE', { key: input.key, changeable: runConfigKeys })
      if (input.value !== null && checks.get(key)?.Check(input.value) !== true)
        throw new MarketError('VALIDATION_FAILED', {
          field: 'value',
          key,
          constraint: JSON.stringify(runSettings[key].schema),
          received: String(input.value),
        })
      const config = await market.changeRunConfig(
        { key, value: input.value, defaults: live.defaults },
        act(call, input),
      )
      await live.refresh()
      return done(presentSetting(key, config, live.defaults))
    },
  }
}

function act(
  { request }: Pick<Call, 'request'>,
  { reason, actor }: { readonly reason: string; readonly actor?: string },
): AdminAct {
  return { actor: actor ?? 'admin', reason, requestId: request.requestId }
}

function forced({ state, task }: Forced): Answer<{ state: Forced['state']; task: ReturnType<typeof presentTask> }> {
  const body = { state, task: presentTask(task) }
  return state === 'moving' ? inFlight(body) : done(body)
}

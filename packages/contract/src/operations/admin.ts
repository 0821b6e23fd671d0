import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { adminWorker, auditLine, metrics, moneyFinding, runSetting, sweptFees } from '../resources/admin.ts'
import { reportFields } from './reports.ts'
import { task } from '../resources/task.ts'
import { takenDown } from '../resources/work.ts'
import { runConfigKeys } from '../run-config.ts'
import {
  closed,
  id,
  instant,
  networkName,
  nullable,
  open,
  optional,
  page,
  paging,
  shownRows,
  slice,
  sliced,
  text,
  tokenSymbol,
  wallet,
} from '../schema.ts'
import { limits, paymentModes, reportActions, reportStates, taskStatuses } from '../vocabulary.ts'

const section = 'admin'
export const actor = optional(text('Who holds the key, for the audit log.', 1, limits.actorMax))
export const headers = { actor: 'X-Admin-Actor' } as const
const reason = text('Why; the audit log keeps it.', limits.reasonMin, limits.reasonMax)
const adminReport = open({
  ...reportFields,
  reporter: wallet('Who reported it.'),
  state: Type.Enum([...reportStates]),
  operator_note: nullable(Type.String({ description: 'What the operator wrote last.' })),
  decided_by: nullable(Type.String()),
  decided_at: nullable(instant('When the operator last did something about it.')),
  wallet_address: nullable(wallet('Who answers for what is reported; null where nobody is left.')),
  title: nullable(Type.String({ description: 'What is reported, as people read it.' })),
  task_id: nullable(id('The task it is or belongs to.')),
  is_hidden: Type.Boolean({ description: 'Whether strangers no longer find it in lists.' }),
  is_banned: Type.Boolean({ description: 'Whether that wallet is banned.' }),
  taken_down: takenDown,
})
const search = (description: string) => optional(text(description, 1, 100))

/** What whoever runs the service does, with the admin key (spec §4, §5.10). */
export const admin = {
  'admin.metrics': operation({
    section,
    summary: 'The state of the market and of this process in numbers.',
    access: { by: 'admin' },
    input: closed({}),
    output: metrics,
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/admin/metrics' }],
  }),
  'admin.tasks': operation({
    section,
    summary: 'Tasks in every status.',
    access: { by: 'admin' },
    input: closed({
      status: optional(Type.Enum([...taskStatuses])),
      search: search('Part of a title, or a whole wallet or id.'),
      ...paging,
    }),
    output: open({ tasks: Type.Array(task), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/admin/tasks' }],
  }),
  'admin.forceTask': operation({
    section,
    summary: 'Force a task into a status, unless its money contradicts that; what is held goes back first.',
    access: { by: 'admin' },
    input: closed({ task_id: id('The task.'), status: Type.Enum([...taskStatuses]), reason, actor }),
    output: open({
      state: Type.Enum(['forced', 'moving', 'unchanged'], {
        description: 'moving: the refund is on its way, and the status follows it.',
      }),
      task,
    }),
    success: 200,
    resend: 'again',
    inFlight: true,
    errors: [
      'TASK_NOT_FOUND',
      'TASK_STATE_NOT_FORCEABLE',
      'APPROVAL_IN_FLIGHT',
      'DEADLINE_PASSED',
      'ESCROW_STATE_MISSING',
      'REFUND_FAILED',
    ],
    rest: [{ method: 'PUT', path: '/api/v1/admin/tasks/{task_id}', headers }],
  }),
  'admin.elapse': operation({
    section,
    summary:
      'The clock of one task on the local chain: its deadline, review and timers come closer by so many hours. ' +
      'Refused wherever money is real.',
    access: { by: 'admin' },
    input: closed({
      task_id: id('The task.'),
      hours: Type.Number({ minimum: 0.01, maximum: 2_160, description: 'How many hours pass.' }),
      reason,
      actor,
    }),
    output: task,
    success: 200,
    resend: 'again',
    sameWordsAnew: true,
    errors: ['TASK_NOT_FOUND', 'TASK_STATE_NOT_FORCEABLE', 'FEATURE_DISABLED'],
    rest: [{ method: 'POST', path: '/api/v1/admin/tasks/{task_id}/elapse', headers }],
  }),
  'admin.workers': operation({
    section,
    summary: 'Workers, and banned wallets that never worked.',
    access: { by: 'admin' },
    input: closed({
      status: optional(Type.Enum(['active', 'banned'])),
      search: search('Part of a name, or a whole wallet or id.'),
      ...slice,
    }),
    output: open({ workers: Type.Array(adminWorker), ...sliced }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/admin/workers' }],
  }),
  'admin.ban': operation({
    section,
    summary: 'Ban a wallet from the service, as publisher and as worker, or lift its ban.',
    access: { by: 'admin' },
    input: closed({
      executor_id: Type.String({
        pattern: '^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-fA-F]{40})$',
        maxLength: 42,
        description: 'The worker, or the wallet of anybody.',
      }),
      banned: Type.Boolean({ description: 'false lifts the ban.' }),
      reason,
      actor,
    }),
    output: adminWorker,
    success: 200,
    resend: 'again',
    errors: ['WORKER_NOT_FOUND'],
    rest: [{ method: 'PUT', path: '/api/v1/admin/workers/{executor_id}/ban', headers }],
  }),
  'admin.sweepFees': operation({
    section,
    summary: 'Move accrued fees to the treasury now; without network and token, all of them.',
    access: { by: 'admin' },
    input: closed({
      network: optional(networkName()),
      token: optional(tokenSymbol()),
      reason: optional(reason),
      actor,
    }),
    output: open({ sweeps: Type.Array(sweptFees) }),
    success: 200,
    resend: 'again',
    sameWordsAnew: true,
    inFlight: true,
    errors: ['NETWORK_NOT_ACCEPTED', 'SETTLEMENT_FAILED', 'CHAIN_UNAVAILABLE'],
    rest: [{ method: 'POST', path: '/api/v1/admin/fees/sweep', headers }],
  }),
  'admin.readConfig': operation({
    section,
    summary: 'Settings that can be changed while the service runs, and those that cannot.',
    access: { by: 'admin' },
    input: closed({}),
    output: open({
      settings: Type.Array(runSetting),
      fixed: open({ fee_bps: Type.Integer(), payment_mode: Type.Enum([...paymentModes]), says: Type.String() }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/admin/config' }],
  }),
  'admin.changeConfig': operation({
    section,
    summary: 'Change one setting of the running service, in every process within two seconds.',
    access: { by: 'admin' },
    input: closed({
      key: text(`One of ${runConfigKeys.join(', ')}.`, 1, 60),
      value: nullable(
        Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: 430 })], {
          description: 'A value of the kind that the key takes; null goes back to what the deployment set.',
        }),
      ),
      reason,
      actor,
    }),
    output: runSetting,
    success: 200,
    resend: 'again',
    errors: ['CONFIG_NOT_CHANGEABLE'],
    rest: [{ method: 'PUT', path: '/api/v1/admin/config', headers }],
  }),
  'admin.findings': operation({
    section,
    summary:
      'Differences between the books and the chains that are not resolved, the oldest first. Each closes by itself once its comparison sees it no more.',
    access: { by: 'admin' },
    input: closed({ ...slice }),
    output: open({ findings: Type.Array(moneyFinding), ...shownRows }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/admin/findings' }],
  }),
  'admin.reports': operation({
    section,
    summary: 'What people reported, newest first; those that are open, unless asked otherwise.',
    access: { by: 'admin' },
    input: closed({ status: optional(Type.Enum(['open', 'closed'])), ...paging }),
    output: open({ reports: Type.Array(adminReport), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/admin/reports' }],
  }),
  'admin.decideReport': operation({
    section,
    summary:
      'Do something about a report: note it, dismiss it, hide the task or listing from lists or show it again, delete the evidence of the submission and keep its hashes, ban who answers for it.',
    access: { by: 'admin' },
    input: closed({ report_id: id('The report.'), action: Type.Enum([...reportActions]), reason, actor }),
    output: adminReport,
    success: 200,
    resend: 'again',
    errors: ['NOT_FOUND'],
    rest: [{ method: 'PUT', path: '/api/v1/admin/reports/{report_id}', headers }],
  }),
  'admin.audit': operation({
    section,
    summary: 'What was done with the admin key, the latest first.',
    access: { by: 'admin' },
    input: closed({
      subject: optional(text('A task, a wallet, an asset as network:token, or the key of a setting.', 1, 100)),
      ...paging,
    }),
    output: open({ lines: Type.Array(auditLine), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/admin/audit' }],
  }),
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { alarmRows } from '../testing/alarm-rows.ts'
import { promtool } from '../testing/promtool.ts'

const folder = fileURLToPath(new URL('../../../../deploy/prometheus/', import.meta.url))
const rulesFile = `${folder}ergon.rules.yml`

/** Series that bring an alert about, and series beside them that do not; both from the first minute on. */
type Case = {
  readonly fires: string
  readonly quiet: string
  readonly also?: readonly string[]
  /** Between two values; a minute without it. */
  readonly step?: string
}
const reason = (alarm: string, more = ''): Case => ({
  fires: `ergon_alarm{alarm="${alarm}"${more}} 1`,
  quiet: `ergon_alarm{alarm="${alarm}"${more}} 0`,
})
const ofNetwork = (alarm: string): Case => reason(alarm, ',network="base"')

const cases: Readonly<Record<string, Case>> = {
  no_answer: { fires: 'up{job="ergon-server"} 0', quiet: 'up{job="ergon-server"} 1' },
  figures_missing: { fires: 'ergon_source_up{source="payments"} 0', quiet: 'ergon_source_up{source="payments"} 1' },
  database_silent: reason('database_silent'),
  database_read_only: reason('database_read_only'),
  database_unwritable: reason('database_unwritable'),
  connections_refused: reason('connections_refused'),
  database_went_back: reason('database_went_back'),
  clock_far_off: reason('clock_far_off'),
  clock_off: reason('clock_off'),
  settings_contradict: reason('settings_contradict'),
  events_late: reason('events_late'),
  storage_unwritable: reason('storage_unwritable'),
  evidence_missing: reason('evidence_missing'),
  mail_refused: reason('mail_refused'),
  facilitator_unreachable: reason('facilitator_unreachable'),
  chain_unreachable: ofNetwork('chain_unreachable'),
  in_doubt: {
    fires: 'ergon_settlements_in_doubt{network="base"} 1',
    quiet: 'ergon_settlements_in_doubt{network="base"} 0',
  },
  ledger_balanced: { fires: 'ergon_ledger_balanced 0', quiet: 'ergon_ledger_balanced 1' },
  findings: {
    fires: 'ergon_money_findings{network="base",kind="stuck"} 1',
    quiet: 'ergon_money_findings{network="base",kind="stuck"} 0',
  },
  approval_budget_unavailable: {
    fires: 'ergon_approval_budget_unavailable_total 0 0 0 0 0 0 0 0 0 0 1',
    quiet: 'ergon_approval_budget_unavailable_total 3',
  },
  audit_late: { fires: 'ergon_money_audit_age_seconds 601', quiet: 'ergon_money_audit_age_seconds 600' },
  queue_late: {
    fires: 'ergon_queue_late_seconds{queue="fees",network="base"} 901',
    quiet: 'ergon_queue_late_seconds{queue="webhooks"} 901',
  },
  chain_stopped: {
    fires: 'ergon_chain_head_age_seconds{network="base"} 601',
    quiet: 'ergon_chain_head_age_seconds{network="base"} 600',
  },
  budget_spent: {
    fires: 'ergon_budget_used{budget="payments"} 90',
    quiet: 'ergon_budget_used{budget="payments"} 89',
    also: ['ergon_budget_limit{budget="payments"} 100'],
  },
  network_closed: {
    fires: 'ergon_network_closed{network="base"} 1',
    quiet: 'ergon_network_closed{network="base"} 0 1 1 0',
    step: '12h',
  },
  gas_low: ofNetwork('gas_low'),
  sol_low: ofNetwork('sol_low'),
  out_of_sol: ofNetwork('out_of_sol'),
  node_silent: ofNetwork('node_silent'),
  nodes_missing: ofNetwork('nodes_missing'),
  ledger_silent: { fires: 'ergon_ledger_up 0', quiet: 'ergon_ledger_up 1' },
}

test('Prometheus takes the rules and the example of its settings', () => {
  expect(promtool(['check', 'rules', rulesFile])).toBe('')
  expect(promtool(['check', 'config', `${folder}prometheus.yml`])).toBe('')
})

test('each alert has a case here', () => {
  expect(Object.keys(cases).toSorted()).toEqual(alarmRows().toSorted())
})

/** By then a value has been so for longer than any alert waits: a quarter of an hour, or a week and a half day. */
const steps = 15
/** The last value goes on. */
const seriesOf = (line: string): object => {
  const [, series = '', values = ''] = /^(\S+) ([\d ]+)$/.exec(line) ?? []
  return { series, values: `${values} ${values.split(' ').at(-1) ?? ''}x30` }
}

/** What promtool says when these series are the only ones and this alert is to fire at the end, or none. */
function tried(lines: readonly string[], expected: string | undefined, step = '1m'): string {
  const place = mkdtempSync(join(tmpdir(), 'ergon-rules-'))
  try {
    const tests = {
      rule_files: [rulesFile],
      evaluation_interval: step,
      tests: [
        {
          interval: step,
          input_series: lines.map(seriesOf),
          promql_expr_test: [
            {
              expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
              eval_time: step.replace(/\d+/, (length) => String(Number(length) * steps)),
              exp_samples: expected === undefined ? [] : [{ labels: `{alertname="${expected}"}`, value: 1 }],
            },
          ],
        },
      ],
    }
    const file = join(place, 'tests.yml')
    writeFileSync(file, JSON.stringify(tests))
    return promtool(['test', 'rules', file])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

describe.each(Object.entries(cases))('%s', (name, { fires, quiet, also = [], step }) => {
  test('fires, and nothing else does', () => {
    expect(tried([fires, ...also], name, step)).toBe('')
  })
  test('does not fire where all is well', () => {
    expect(tried([quiet, ...also], undefined, step)).toBe('')
  })
})

test('a payment that is open for too long is an alarm too, and one that has just begun is none', () => {
  expect(tried(['ergon_settlements_oldest_seconds{network="base"} 301'], 'in_doubt')).toBe('')
  expect(tried(['ergon_settlements_oldest_seconds{network="base"} 299'], undefined)).toBe('')
})

test('a finding that a silent database hides for some minutes stays an alarm', () => {
  expect(tried(['ergon_money_findings{network="base",kind="stuck"} 1 1 1 1 1 1 1 1 1 0'], 'findings')).toBe('')
})

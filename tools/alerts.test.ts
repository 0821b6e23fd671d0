import { readFileSync } from 'node:fs'
import { alarmRows } from '@ergon/dev-env/testing'
import { figures as facilitator } from '@ergon/facilitator'
import { figures as gateway } from '@ergon/gateway'
import { figures as server } from '@ergon/server'
import { expect, test } from 'vitest'

const rules = readFileSync(new URL('../deploy/prometheus/ergon.rules.yml', import.meta.url), 'utf8')
const alerts = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({ name: text.slice(0, text.indexOf('\n')), text }))

test('each row of the alarm table has its alert, and each alert its row', () => {
  expect(alerts.map(({ name }) => name).toSorted()).toEqual(alarmRows().toSorted())
})

test('each alert says what it is in plain words, whether it can wait, and which row to read', () => {
  for (const { name, text } of alerts) {
    expect(text, name).toMatch(/severity: (?:page|ticket)\n/)
    expect(text, name).toMatch(/summary: '.{10,}'\n {10}description: '.{10,}'\n/)
    expect(text, name).toContain(`runbook: 'docs/guides/operators.md#alarms (${name})'`)
  }
})

test('no alert reads a figure that no service tells, or an alarm that none of them names', () => {
  const told: ReadonlySet<string> = new Set([server, facilitator, gateway].flatMap((figures) => Object.keys(figures)))
  const read = alerts.flatMap(({ text }) => [...text.matchAll(/\bergon_[a-z_]+/g)].map(([name]) => name))
  expect(read.filter((name) => !told.has(name))).toEqual([])
  const named = alerts.flatMap(({ text }) =>
    [...text.matchAll(/ergon_alarm\{alarm="(\w+)"\}/g)].map(([, alarm]) => alarm),
  )
  expect(named.filter((alarm) => !alarmRows().includes(alarm ?? ''))).toEqual([])
})

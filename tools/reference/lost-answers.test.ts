import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { lostAnswers } from './lost-answers.ts'
import { awaitedPorts, linesOut, writtenTables } from './write-scan.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const named = lostAnswers.flatMap(({ names }) => names)
const written = (['server', 'facilitator', 'gateway'] as const).flatMap((process) =>
  writtenTables(process).map((table) => `${process}:${table}`),
)
const found = [...written, ...awaitedPorts(), ...linesOut()]

test('every write and every call of the three processes says what its lost answer means', () => {
  expect(found.length).toBeGreaterThan(150)
  expect(found.filter((name) => !named.includes(name))).toEqual([])
})

test('no row names what the code does not write or call, and none is named twice', () => {
  expect(named.filter((name) => !found.includes(name))).toEqual([])
  expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([])
})

test('the tests that lose an answer are there', () => {
  expect(lostAnswers.flatMap(({ tests }) => tests).filter((file) => !existsSync(root + file))).toEqual([])
})

test('each row names a test', () => {
  expect(lostAnswers.filter(({ tests }) => tests.length === 0).map(({ what }) => what)).toEqual([])
})

import type { OperationName } from '@ergon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../tour/scene.ts'
import { steps } from '../tour/steps.ts'
import { others, signed, traces, withReason } from './exceptions.ts'
import { fuller } from './fuller.ts'
import { leaves, nameOf } from './leaves.ts'
import { everyRow, proofOf, unpacked } from './proofs.ts'
import { createRecorder } from './recorder.ts'

const recorder = createRecorder(signed)
let scene: Scene
let kept: string
const owned = new AsyncDisposableStack()
beforeAll(async () => {
  scene = owned.use(await openScene(undefined, recorder.between))
  for (const name of Object.keys(steps) as OperationName[]) await steps[name](scene) // the keys of a literal
  await fuller(scene, owned)
  kept = unpacked([await everyRow(scene.databaseUrl), recorder.answers()].join('\n'))
}, 180_000)
afterAll(async () => {
  await owned.disposeAsync()
})

test('every field of every operation is kept, answered, or decides something', async () => {
  const without: string[] = []
  for (const leaf of leaves) {
    if (Object.hasOwn(withReason, nameOf(leaf))) continue
    if ((await proofOf(leaf, recorder, kept)) === null) without.push(nameOf(leaf))
  }
  expect(without).toEqual([])
}, 300_000)

test('what is excepted exists', () => {
  const names = new Set(leaves.map(nameOf))
  expect([...signed, ...[withReason, traces, others].flatMap(Object.keys)].filter((name) => !names.has(name))).toEqual(
    [],
  )
})

import { describe, expect, test } from 'vitest'
import { publisher, worker } from './stage.ts'
import { resultOf, second, useCheckingStage } from './checking-stage.ts'

const desk = useCheckingStage()
const { facts, handIn, verified } = desk

describe('pictures are looked for among all that were ever submitted', () => {
  test('the very same bytes of another party are found, whoever comes first is not to blame', async () => {
    const first = await handIn({ photo: 'https://files/aa01' }, { place: false })
    const copy = await handIn({ photo: 'https://files/aa01' }, { place: false, as: second })
    const copied = await verified(copy)
    expect(resultOf(copied, 'exact_duplicate')).toBe('failed')
    expect(resultOf(await desk.market.readSubmission(publisher, first.submissionId), 'exact_duplicate')).not.toBe(
      'failed',
    )
    expect(JSON.stringify(copied.checks)).not.toContain(first.submissionId)
  })

  test('handing in again for the same task is no duplicate', async () => {
    const handed = await handIn({ photo: 'https://files/aa02' }, { place: false })
    await verified(handed)
    await desk.market.requestChanges(publisher, handed.submissionId, 'Please write more.')
    const { submission } = await desk.market.submit(worker, handed.taskId, {
      executorId: null,
      evidence: { photo: 'https://files/aa02' },
      notes: null,
      deviceMetadata: null,
    })
    expect(
      resultOf(await verified({ taskId: handed.taskId, submissionId: submission.id }), 'exact_duplicate'),
    ).not.toBe('failed')
  })

  test.each([
    ['0123456789abcdef', '0123456789abcdef', 'failed'],
    ['fedcba9876543210', 'fedcba98765432ef', 'failed'],
    ['8000000000000001', '800000000000ffc1', 'inconclusive'],
    ['00000000ffffffff', 'ffffffff00000000', 'passed'],
  ])('a picture %s against a stored %s: near_duplicate is %s', async (stored, given, expected) => {
    await desk.stage.pool.query('delete from image_hashes')
    const [a, b] = [`b${stored.slice(0, 3)}`, `c${given.slice(-3)}`]
    facts.set(a.padStart(64, '0'), { image: { phash: stored, variants: [] } })
    facts.set(b.padStart(64, '0'), { image: { phash: given, variants: [] } })
    await verified(await handIn({ photo: `https://files/${a}` }, { place: false }))
    expect(
      resultOf(
        await verified(await handIn({ photo: `https://files/${b}` }, { place: false, as: second })),
        'near_duplicate',
      ),
    ).toBe(expected)
  })

  test('a mirrored copy is found by its variants', async () => {
    await desk.stage.pool.query('delete from image_hashes')
    facts.set('d001'.padStart(64, '0'), { image: { phash: '1111222233334444', variants: ['9999aaaabbbbcccc'] } })
    facts.set('d002'.padStart(64, '0'), { image: { phash: '9999aaaabbbbcccd', variants: ['0f0f0f0f0f0f0f0f'] } })
    await verified(await handIn({ photo: 'https://files/d001' }, { place: false }))
    expect(
      resultOf(
        await verified(await handIn({ photo: 'https://files/d002' }, { place: false, as: second })),
        'near_duplicate',
      ),
    ).toBe('failed')
  })
})

describe('every pair of hashes within eleven bits is found by the quarters', () => {
  test('of a thousand pairs none is missed', async () => {
    await desk.stage.pool.query('delete from image_hashes')
    const handed = await handIn({ text_response: 'x' }, { place: false })
    const later = await handIn({ text_response: 'x' }, { place: false, as: second })
    const {
      rows: [owner],
    } = await desk.stage.pool.query<{ executor_id: string }>('select executor_id from submissions where id = $1', [
      handed.submissionId,
    ])
    const search = {
      submissionId: later.submissionId,
      taskId: later.taskId,
      executorId: 'ffffffff-ffff-7fff-bfff-ffffffffffff',
    }
    let state = 7n
    const random = (): bigint =>
      (state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n))
    for (let pair = 0; pair < 250; pair += 1) {
      const one = random()
      let other = one
      const flips = new Set<bigint>()
      while (flips.size < 11) flips.add((random() >> 33n) % 64n)
      for (const flip of flips) other ^= 1n << flip
      await desk.stage.pool.query('delete from image_hashes')
      await desk.stage.store.rememberImage(
        { phash: one.toString(16).padStart(16, '0'), variants: [], evidenceType: 'photo' },
        { submissionId: handed.submissionId, taskId: handed.taskId, executorId: owner?.executor_id ?? '' },
      )
      expect(
        await desk.stage.store.nearTwins({ phash: other.toString(16).padStart(16, '0'), variants: [] }, search, 12, 3),
      ).toMatchObject([{ submissionId: handed.submissionId, distance: 11 }])
    }
  })
})

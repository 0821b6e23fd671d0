import { expect, test } from 'vitest'
import { answersOf, atRest } from './at-rest.ts'
import type { Answers } from './parcel.ts'

const blob = new Blob(['a picture'], { type: 'image/png' })
const answers: Answers = {
  photo: { kind: 'file', blob, contentType: 'image/png', name: 'gate.png' },
  text_response: { kind: 'value', value: 'A green gate.' },
}

test('a picture rests as bytes and comes back as the picture it was', async () => {
  const kept = await atRest({ answers })
  expect(kept.answers.photo).toEqual({
    kind: 'file',
    bytes: await blob.arrayBuffer(),
    contentType: 'image/png',
    name: 'gate.png',
  })
  const { photo, text_response } = answersOf(kept).answers
  expect(text_response).toEqual(answers.text_response)
  if (photo?.kind !== 'file') throw new Error('no picture came back')
  expect([photo.name, photo.blob.type, await photo.blob.text()]).toEqual(['gate.png', 'image/png', 'a picture'])
})

test('a picture that was kept as such, before it was kept as bytes, is still read', () => {
  expect(answersOf({ answers }).answers).toEqual(answers)
})

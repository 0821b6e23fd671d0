import * as Type from 'typebox'
import { expect, test } from 'vitest'
import { createLeaveOut } from './left-out.ts'

const leaveOut = createLeaveOut(
  Type.Object({
    id: Type.String({ minLength: 36 }),
    word: Type.Optional(Type.Enum(['one', 'two'])),
    text: Type.Optional(Type.String({ minLength: 1 })),
    free: Type.Optional(Type.String()),
    count: Type.Optional(Type.Integer()),
    cleared: Type.Optional(Type.Union([Type.String({ minLength: 3 }), Type.Null()])),
    anything: Type.Optional(Type.Unknown()),
    order: Type.Optional(
      Type.Object({ signer: Type.String({ minLength: 1 }), action: Type.Optional(Type.Enum(['release'])) }),
    ),
  }),
)

test.each([
  [
    'null, where it may be missing',
    { word: null, text: null, free: null, count: null, order: null, anything: null },
    {},
  ],
  ['an empty text, where none is taken', { word: '', text: '', count: '', cleared: '' }, {}],
  ['null inside of an object', { order: { signer: '0x', action: null } }, { order: { signer: '0x' } }],
])('%s is left out', (_what, given, left) => {
  expect(leaveOut(given)).toEqual(left)
})

test.each([
  ['what has to be there', { id: null, order: { signer: '' } }],
  ['an empty text that is a value', { free: '', anything: '' }],
  ['null that is a value', { cleared: null }],
  ['names that nobody knows', { other: null, constructor: '' }],
  ['whatever says something', { id: 'x', word: 'three', count: 0, order: [], anything: false }],
])('%s stays', (_what, given) => {
  expect(leaveOut(given)).toEqual(given)
})

import { expect, test } from 'vitest'
import { readRoom, roomName } from '../../src/sockets/room-name.ts'

const task = '01950000-0000-7000-8000-00000000000a'
const wallet = `0x${'ab'.repeat(20)}`

test.each([
  ['global', 'global'],
  [`task:${task}`, `task:${task}`],
  [`task:${task.toUpperCase()}`, `task:${task}`],
  [`user:0x${'AB'.repeat(20)}`, `user:${wallet}`],
  ['category:simple_action', 'category:simple_action'],
])('the room %s goes by the name %s', (given, name) => {
  const room = readRoom(given)
  expect(room === undefined ? undefined : roomName(room)).toBe(name)
})

test.each([
  '',
  'task',
  'task:',
  'task:1',
  'tasks:x',
  'user:',
  'user:0x1',
  'category:',
  'category:nothing',
  'category:__proto__',
  'GLOBAL',
  ':global',
  `task:${task} `,
])('%j is no room', (name) => {
  expect(readRoom(name)).toBeUndefined()
})

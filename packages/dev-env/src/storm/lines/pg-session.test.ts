import { describe, expect, test } from 'vitest'
import { createFramer, type Frame } from './pg-frames.ts'
import { createPgSession, writesIn, type Question } from './pg-session.ts'

const frame = (type: string, ...texts: readonly string[]): Frame => {
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(''))
  return { type, body, bytes: body }
}

/** One statement with values, as the driver sends it, and what PostgreSQL says about the transaction afterwards. */
function run(
  session: ReturnType<typeof createPgSession>,
  text: string,
  after: 'I' | 'T',
  name = '',
): Question | undefined {
  session.ask(frame('P', name, text))
  session.ask(frame('B', '', name))
  const question = session.ask(frame('S'))
  session.ready(after)
  return question
}

describe('what passes a line to PostgreSQL is named', () => {
  test('a statement that commits by itself by its own name, also when it was prepared long ago', () => {
    const session = createPgSession()
    expect(run(session, 'insert into intents (id) values ($1)', 'I', 'intents-insert')).toEqual({
      name: 'intents-insert',
      hasEffect: true,
    })
    session.ask(frame('B', '', 'intents-insert'))
    expect(session.ask(frame('S'))).toEqual({ name: 'intents-insert', hasEffect: true })
  })

  test('a commit by the step of money it ends and the tables it wrote', () => {
    const session = createPgSession()
    session.ask(frame('Q', 'begin'))
    session.ready('T')
    expect(run(session, 'select * from tasks where id = $1 for update', 'T')?.hasEffect).toBe(false)
    run(session, 'insert into settlements (id) values ($1) on conflict do nothing returning id', 'T')
    run(session, 'update tasks set updated_at = $2 where id = $1', 'T')
    expect(session.ask(frame('Q', 'commit'))).toEqual({
      name: 'commit claim settlements.insert+tasks.update',
      hasEffect: true,
    })
    session.ready('I')
    session.ask(frame('Q', 'begin'))
    session.ready('T')
    expect(session.ask(frame('Q', 'commit'))?.hasEffect).toBe(false)
  })

  test('a text that the server has named by itself by what it writes, also when only its name is sent', () => {
    const session = createPgSession()
    session.ask(frame('Q', 'begin'))
    session.ready('T')
    run(session, 'insert into settlements (id) values ($1) returning id', 'T', 'by-text-7')
    session.ready('I')
    session.ask(frame('Q', 'begin'))
    session.ready('T')
    session.ask(frame('B', '', 'by-text-7'))
    expect(session.ask(frame('S'))?.name).toBe('settlements.insert (within)')
    session.ready('T')
    expect(session.ask(frame('Q', 'commit'))).toEqual({ name: 'commit claim settlements.insert', hasEffect: true })
  })

  test('a read is no write, and neither is what only locks or gives way', () => {
    expect(writesIn('select id from ratings for update skip locked')).toEqual([])
    expect(writesIn('insert into escrows (a) values ($1) on conflict (a) do update set a = excluded.a')).toEqual([
      'escrows.insert',
    ])
    expect(
      writesIn(
        'with moved as (update tasks set status = $2 returning id) insert into task_history select id from moved',
      ),
    ).toEqual(['task_history.insert', 'tasks.update'])
    expect(createPgSession().ask(frame('Q', 'select 1'))?.hasEffect).toBe(false)
  })
})

test('messages are put together however the stream is cut', () => {
  const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0])
  const query = Buffer.concat([Buffer.from('Q'), Buffer.from([0, 0, 0, 11]), Buffer.from('begin;\0')])
  const stream = Buffer.concat([startup, query, query])
  for (let size = 1; size <= stream.length; size += 1) {
    const framer = createFramer('client')
    const frames: Frame[] = []
    for (let from = 0; from < stream.length; from += size) frames.push(...framer(stream.subarray(from, from + size)))
    expect(frames.map(({ type }) => type)).toEqual(['', 'Q', 'Q'])
    expect(Buffer.concat(frames.map(({ bytes }) => bytes))).toEqual(stream)
  }
})

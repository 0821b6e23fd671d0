import { checkInput } from '../check-input.ts'
import type { Command, Positional } from '../command.ts'
import { given } from '../given.ts'
import { waitOptions, watchTask } from '../watch-task.ts'
import { events } from '@ergon/contract'

const task: Positional = { name: 'task', about: 'The id of the task.' }

export const taskEdit: Command = {
  words: ['task', 'edit'],
  about: 'Change a task that nobody has applied to.',
  positionals: [task],
  options: {
    title: { value: 'TEXT', about: 'Another title.' },
    instructions: { value: 'TEXT', about: 'Other instructions.' },
    'location-hint': { value: 'TEXT', about: 'Another area in words.' },
    'deadline-hours': { value: 'N', about: 'Another deadline, in hours.' },
  },
  async run(call, session) {
    const changed = await session.client().tasks.update(
      checkInput(
        'tasks.update',
        given({
          task_id: call.need('task'),
          title: call.text('title'),
          instructions: call.text('instructions'),
          location_hint: call.text('location-hint'),
          deadline_hours: call.number('deadline-hours'),
        }),
      ),
    )
    return { data: changed, brief: changed.id, lines: [`Changed ${changed.id}: ${changed.title}`] }
  },
}

export const taskCancel: Command = {
  words: ['task', 'cancel'],
  about: 'Cancel a task; what is held comes back to you first.',
  positionals: [task],
  options: { reason: { value: 'TEXT', about: 'Why.' } },
  async run(call, session) {
    const input = checkInput('tasks.cancel', given({ task_id: call.need('task'), reason: call.text('reason') }))
    await session.confirm('Cancel this task?')
    session.progress('cancelling')
    const cancelled = await session.client().cancelTask(input)
    return {
      data: cancelled,
      brief: cancelled.id,
      lines: [
        `${cancelled.id} is ${cancelled.status}${cancelled.refund_tx === null ? '' : `, refunded by ${cancelled.refund_tx}`}`,
      ],
    }
  },
}

export const taskWatch: Command = {
  words: ['task', 'watch'],
  about: 'Tell what happens to a task until it is over; ends like wait.',
  positionals: [task],
  options: waitOptions,
  run: (call, session) => watchTask(session, call.need('task'), { timeoutSec: call.number('timeout'), tell: true }),
}

export const wait: Command = {
  words: ['wait'],
  about: 'Wait for a task to be over, or for one event of it; the number it ends with says how it went.',
  positionals: [task],
  options: {
    for: { value: 'EVENT', about: 'End at this event, also when it has happened already.', among: Object.keys(events) },
    ...waitOptions,
  },
  examples: ['ergon wait $TASK --for worker.applied --timeout 600', 'ergon wait $TASK && echo paid'],
  run(call, session) {
    const until = call.text('for')
    return watchTask(session, call.need('task'), {
      timeoutSec: call.number('timeout'),
      tell: false,
      ...(until === undefined ? {} : { until }),
    })
  },
}

import { checkInput } from '../check-input.ts'
import type { Command, Positional } from '../command.ts'
import { usageError } from '../cli-error.ts'
import { readEvidence } from '../evidence.ts'
import { given } from '../given.ts'

const task: Positional = { name: 'task', about: 'The id of the task.' }

export const apply: Command = {
  words: ['apply'],
  about: 'Apply to a task as a worker.',
  positionals: [task],
  options: { message: { short: 'm', value: 'TEXT', about: 'A cover note.' } },
  async run(call, session) {
    const application = await session
      .client()
      .tasks.apply(checkInput('tasks.apply', given({ task_id: call.need('task'), message: call.text('message') })))
    return {
      data: application,
      brief: application.application_id,
      lines: [`Applied to ${application.task_id} as ${application.executor_id}`],
    }
  },
}

export const withdraw: Command = {
  words: ['withdraw'],
  about: 'Step down from a task that was assigned to you; what is held goes back to the publisher.',
  positionals: [task],
  options: { reason: { value: 'TEXT', about: 'Why.' } },
  async run(call, session) {
    const input = checkInput('tasks.withdraw', given({ task_id: call.need('task'), reason: call.text('reason') }))
    await session.confirm('Step down from this task?')
    session.progress('stepping down')
    const withdrawn = await session.client().withdrawFromTask(input)
    return { data: withdrawn, brief: withdrawn.state, lines: [`Stepped down: the task is ${withdrawn.status}`] }
  },
}

export const submit: Command = {
  words: ['submit'],
  about: 'Hand in the work: files are uploaded first.',
  positionals: [task],
  options: {
    photo: { value: 'FILE', about: 'A photo.' },
    gps: { value: 'LAT,LNG[,ACC]', about: 'A position in degrees, its accuracy in metres.' },
    text: { value: 'TEXT', about: 'A text_response.' },
    evidence: { value: 'TYPE=VALUE', about: 'Any other evidence: a file as @path, else JSON or text.', many: true },
    notes: { value: 'TEXT', about: 'For the publisher.' },
  },
  examples: ['ergon submit $TASK --photo board.jpg --gps 48.2082,16.3738,6 --text "Summer opening hours"'],
  async run(call, session) {
    const client = session.client()
    const task_id = call.need('task')
    const pieces = [
      ...readEvidence({
        photo: call.text('photo'),
        gps: call.text('gps'),
        text: call.text('text'),
        others: call.list('evidence'),
      }),
    ]
    if (pieces.length === 0)
      throw usageError('there is nothing to hand in', 'Name evidence: --photo, --gps, --text or --evidence.')
    const evidence: Record<string, unknown> = {}
    for (const piece of pieces) {
      if (piece.file === undefined) {
        evidence[piece.type] = piece.value
        continue
      }
      session.progress(`uploading ${piece.file.filename}`)
      const upload = {
        task_id,
        evidence_type: piece.type,
        filename: piece.file.filename,
        content_type: piece.file.content_type,
      }
      checkInput('evidence.presignUpload', { ...upload, content_length: piece.file.bytes.length })
      evidence[piece.type] = (
        await client.uploadEvidence({ ...checkInput('evidence.presignUpload', upload), bytes: piece.file.bytes })
      ).public_url
    }
    const submission = await client.tasks.submit(
      checkInput('tasks.submit', given({ task_id, evidence, notes: call.text('notes') })),
    )
    return {
      data: submission,
      brief: submission.submission_id,
      lines: [`Submitted ${submission.submission_id}: ${Object.keys(evidence).join(', ')}`],
    }
  },
}

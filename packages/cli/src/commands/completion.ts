import type { Command } from '../command.ts'
import { completionScript, shells } from '../completion-script.ts'

/** The list of commands holds this command too, so it is handed over when it is needed. */
export function createCompletion(all: () => readonly Command[]): Command {
  return {
    words: ['completion'],
    about: 'Print the completion script of a shell.',
    positionals: [{ name: 'shell', about: `One of ${shells.join(', ')}.` }],
    examples: ['source <(ergon completion bash)'],
    run(call) {
      const script = completionScript(call.need('shell'), all())
      return Promise.resolve({ data: { script }, brief: script, lines: [script] })
    },
  }
}

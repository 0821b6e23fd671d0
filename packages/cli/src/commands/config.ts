import type { Command } from '../command.ts'
import { columns } from '../help.ts'

export const configShow: Command = {
  words: ['config', 'show'],
  about: 'The profile in use; never its key.',
  run(_call, session) {
    const profile = session.profile()
    const data = { profile: session.profileName, ...profile, folder: session.profiles.folder }
    return Promise.resolve({
      data,
      brief: session.profileName,
      lines: Object.entries(data).map(
        ([name, value]) => `${name.padEnd(8)} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    })
  },
}

export const configList: Command = {
  words: ['config', 'list'],
  about: 'Every profile.',
  run(_call, session) {
    const { current, profiles } = session.profiles.read()
    const rows = Object.entries(profiles).map(([name, profile]) => ({ name, current: name === current, ...profile }))
    return Promise.resolve({
      data: { profiles: rows },
      lines:
        rows.length === 0
          ? ['No profile yet: ergon init']
          : columns(
              rows.map((row) => [`${row.current ? '*' : ' '} ${row.name}`, `${row.address}  ${row.url}`] as const),
            ),
    })
  },
}

export const configUse: Command = {
  words: ['config', 'use'],
  about: 'Act as this profile from now on.',
  positionals: [{ name: 'name', about: 'The profile.' }],
  run(call, session) {
    const name = call.need('name')
    session.profiles.use(name)
    return Promise.resolve({ data: { profile: name }, brief: name, lines: [`From now on: ${name}`] })
  },
}

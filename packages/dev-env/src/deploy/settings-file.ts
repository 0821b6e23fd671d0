/** The settings of an environment file, as systemd reads it. */
export function readSettings(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [setting = '', ...value] = line.split('=')
      return [setting, value.join('=')] as const
    }),
  )
}

import { command } from '#cli/command.ts'
import { trustOptions } from '#cli/trust-options.ts'

/** The newest envelope over a way that nobody between reads. */
export const streamsSecure = command({
  path: 'streams secure',
  settings: 'node',
  summary: 'The newest envelope of a stream, encrypted for a key that is made for this call (HPKE), and whose it is.',
  args: [{ name: '<id>', help: 'id of the stream' }],
  options: [
    ...trustOptions,
    { flags: '--verify', help: 'verify the receipt of the envelope too, as `tickmesh verify`' },
  ],
  examples: [
    'tickmesh streams secure 0123456789abcdef0123456789abcdef --verify',
    'tickmesh streams secure 0123456789abcdef0123456789abcdef --key 12D3KooW… --json | jq .envelope.claim.value',
  ],
  run: async (invocation) => (await import('#cli/channel-secure.ts')).showSecure(invocation),
})

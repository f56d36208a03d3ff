import type { Command } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'

const keyColumns = ['id', 'name', 'scope', 'rate_limit_tier', 'created_tick', 'expires_at', 'revoked']

/** Who may what in a machine: roles, keys, shares, anchors, and what is sealed. */
export const machineMembers: readonly Command[] = [
  endpointCommand({
    path: 'machines members list',
    endpoint: 'identity.machine-admins',
    words: ['slug'],
    list: ['admins', ['zid', 'role', 'added_tick', 'by_share']],
    examples: ['tickmesh machines members list pump-7'],
  }),
  endpointCommand({
    path: 'machines members add',
    endpoint: 'identity.machine-add-admin',
    words: ['slug', 'zid', 'role'],
    examples: ['tickmesh machines members add pump-7 zid1… operator'],
  }),
  endpointCommand({
    path: 'machines members change',
    endpoint: 'identity.machine-change-admin',
    words: ['slug', 'zid', 'role'],
    examples: ['tickmesh machines members change pump-7 zid1… viewer'],
  }),
  endpointCommand({
    path: 'machines members remove',
    endpoint: 'identity.machine-remove-admin',
    words: ['slug', 'zid'],
    question: ({ slug, zid }) => `Take the role of ${zid} in ${slug} away, and its keys with it?`,
    examples: ['tickmesh machines members remove pump-7 zid1… --yes'],
  }),
  endpointCommand({
    path: 'machines keys list',
    endpoint: 'identity.machine-keys',
    words: ['slug'],
    list: ['keys', keyColumns],
    examples: ['tickmesh machines keys list pump-7'],
  }),
  endpointCommand({
    path: 'machines keys create',
    endpoint: 'identity.machine-make-key',
    words: ['slug', 'name'],
    secret: 'api_key',
    examples: ['tickmesh machines keys create pump-7 pipeline --scope write --quiet > pipeline.key'],
  }),
  endpointCommand({
    path: 'machines keys revoke',
    endpoint: 'identity.machine-revoke-key',
    words: ['slug', 'id'],
    question: ({ slug, id }) => `Revoke the key ${id} of ${slug} for good?`,
    examples: ['tickmesh machines keys revoke pump-7 0123456789abcdef --yes'],
  }),
  endpointCommand({
    path: 'machines share',
    endpoint: 'machines.share',
    words: ['slug'],
    secret: 'share_token',
    examples: ['tickmesh machines share pump-7 > pump-7.share'],
  }),
  endpointCommand({
    path: 'machines unshare',
    endpoint: 'machines.unshare',
    words: ['slug'],
    text: () => 'the share is over',
    examples: ['tickmesh machines unshare pump-7'],
  }),
  endpointCommand({
    path: 'machines unlock',
    endpoint: 'machines.unlock',
    words: ['slug'],
    secrets: ['token'],
    examples: ['tickmesh machines unlock pump-7 --token-file pump-7.share'],
  }),
  endpointCommand({
    path: 'machines decrypt',
    endpoint: 'vault.audit-decrypt',
    words: ['slug'],
    list: ['entries', ['seq', 'tick', 'type', 'members']],
    examples: ['tickmesh machines decrypt pump-7 --from 0 --to 100'],
  }),
  endpointCommand({
    path: 'machines anchors list',
    endpoint: 'machines.anchors',
    words: ['motherSlug'],
    list: ['anchors', ['seq', 'tick', 'pseudonym', 'head']],
    examples: ['tickmesh machines anchors list mother'],
  }),
  endpointCommand({
    path: 'machines anchors who',
    endpoint: 'machines.anchored',
    words: ['motherSlug'],
    list: ['machines', ['pseudonym', 'anchors', 'first_tick', 'last_tick']],
    examples: ['tickmesh machines anchors who mother'],
  }),
  endpointCommand({
    path: 'machines anchors config',
    endpoint: 'machines.anchor-config',
    words: ['slug'],
    examples: ['tickmesh machines anchors config pump-7'],
  }),
  endpointCommand({
    path: 'machines anchors set',
    endpoint: 'machines.set-anchor-config',
    words: ['slug'],
    examples: ['tickmesh machines anchors set pump-7 --mother mother --accepts members'],
  }),
  endpointCommand({
    path: 'machines anchors rotate',
    endpoint: 'machines.rotate-anchor-key',
    words: ['slug'],
    question: ({ slug }) => `Give ${slug} other pseudonyms from now on?`,
    examples: ['tickmesh machines anchors rotate pump-7 --yes'],
  }),
]

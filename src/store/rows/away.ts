import type { AwayNeeds, AwayRows } from '#store/away.ts'
import { checkAway } from '#store/fsck/away.ts'
import { rowKind } from '#store/row-kind.ts'

/** Tokens whose home is another node, and what of other homes concerned those who live here. */
export const away = rowKind<AwayRows, AwayNeeds>({
  tables: {
    awayToken: { prefix: 'qt', form: 'json', key: 'ZID / serial of arrival' },
    awayByToken: { prefix: 'qi', form: 'json', key: 'token id: ZID / serial of arrival' },
    awayByFolder: { prefix: 'qf', form: 'json', key: 'ZID / folder, percent-encoded / serial of arrival: token id' },
    awayFolder: { prefix: 'qn', form: 'json', key: 'ZID / folder, percent-encoded: how many' },
    awayBytes: { prefix: 'qg', form: 'json', key: 'ZID: bytes of the bundles of its tokens' },
    awayState: { prefix: 'qs', form: 'json', key: 'ZID / home, node id and number joined by a dot / lot of serials' },
    awayMove: { prefix: 'qm', form: 'json', key: "the op's digest" },
    awayMoveByZid: { prefix: 'qz', form: 'json', key: "ZID of an owner before or after / place: the op's digest" },
    awayOfToken: { prefix: 'qo', form: 'json', key: "token id / spend_seq after it: the op's digest" },
    awayList: { prefix: 'ql', form: 'bytes', key: "the op's digest / chunk: packed entries of the list" },
    awayArrival: { prefix: 'qa', form: 'json', key: "the op's digest" },
    awayPending: { prefix: 'qp', form: 'json', key: "the op's digest" },
    awayEvidence: { prefix: 'qe', form: 'json', key: 'home, node id and number joined by a dot' },
    awayEvidenceSlot: { prefix: 'qk', form: 'json', key: 'place: home of which no token is held, as above' },
    awayEvidenceNext: { prefix: 'qr', form: 'json', key: 'the word `next`: the place that is given next' },
    awaySerial: { prefix: 'qx', form: 'json', key: 'ZID: serial number of its next arrival' },
    awayPlace: { prefix: 'qy', form: 'json', key: 'the word `all`: the least place of the next move' },
  },
  since: { schema: 3, note: 'a store of before has met no token of another home' },
  check: checkAway,
})

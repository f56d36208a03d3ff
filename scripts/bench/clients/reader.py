"""Follows a channel by its WebSocket, and comes back by itself behind the last tick that it was told.

    reader.py BASE CHANNEL KEY

Writes a line of JSON for each text that it is told, as it was told it, and one for the code that a connection ended by.
"""

import asyncio
import json
import sys

import websockets

PAUSE_SECONDS = 0.05
# What a connection that could not be opened, or was cut, counts as.
CUT = 1006


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


async def main() -> None:
    base, channel, key = sys.argv[1:4]
    address = f"{base.replace('http', 'ws', 1)}/ws/stream?channel={channel}"
    after, over = "0.0", False
    say({"version": websockets.__version__, "python": sys.version.split()[0]})
    while not over:
        code = CUT
        try:
            async with websockets.connect(f"{address}&after={after}", subprotocols=[f"svc.key.{key}"]) as socket:
                try:
                    async for text in socket:
                        told = json.loads(text)
                        if told["type"] == "tick":
                            after = f"{told['epoch']}.{told['count']}"
                        over = over or told["type"] == "closed"
                        say({"told": told})
                except websockets.ConnectionClosed:
                    pass
                code = socket.close_code or CUT
        except (OSError, websockets.WebSocketException, asyncio.TimeoutError):
            pass
        say({"code": code})
        if not over:
            await asyncio.sleep(PAUSE_SECONDS)


asyncio.run(main())

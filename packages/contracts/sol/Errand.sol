// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice Makes a call for whoever asks, under an address of its own that owns nothing and that nothing trusts. What a
/// caller is told to call by strangers, it calls through this one, so that the call has none of the caller's rights.
contract Errand {
    /// @notice How the call ends is not told and nothing of its answer is copied: an answer could cost what it likes.
    function run(address target, bytes memory data) external {
        assembly ("memory-safe") {
            pop(call(gas(), target, 0, add(data, 0x20), mload(data), 0, 0))
        }
    }
}

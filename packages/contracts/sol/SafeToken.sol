// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IERC20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

/// @notice Transfers that cannot fail in silence: some coins return nothing, some return false.
library SafeToken {
    error TokenTransferFailed(address token);

    function send(address token, address to, uint256 value) internal {
        (bool ok, bytes memory answer) = token.call(abi.encodeCall(IERC20.transfer, (to, value)));
        if (!ok) {
            // The coin's own reason says more than ours.
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        bool accepted = answer.length == 0 ? token.code.length > 0 : abi.decode(answer, (bool));
        if (!accepted) revert TokenTransferFailed(token);
    }
}

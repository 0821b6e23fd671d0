// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A coin that lets anybody take anything; the tests of the escrow need no signatures from it.
contract OpenToken {
    mapping(address account => uint256) public balanceOf;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function transfer(address to, uint256 value) external virtual returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256, uint256, bytes32, bytes calldata
    ) external {
        _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) internal {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}

/// Keeps one unit of each transfer.
contract FeeOnTransferToken is OpenToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        _move(msg.sender, to, value);
        balanceOf[to] -= 1;
        return true;
    }
}

/// Says no without reverting.
contract RefusingToken is OpenToken {
    function transfer(address, uint256) external pure override returns (bool) {
        return false;
    }
}

/// Calls another contract in the middle of a transfer and passes on the answer's reason.
contract ReentrantToken is OpenToken {
    address public target;
    bytes public payload;

    function arm(address target_, bytes calldata payload_) external {
        target = target_;
        payload = payload_;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        _move(msg.sender, to, value);
        if (target == address(0)) return true;
        (bool ok, bytes memory answer) = target.call(payload);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return true;
    }
}
